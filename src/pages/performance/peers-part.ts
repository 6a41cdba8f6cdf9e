import { type Html, html } from "../kit/html.ts";
import { table } from "../kit/table.ts";
import type { Comparison, PerformanceReport } from "./performance-report.ts";
import { runNote } from "./run-note.ts";

/** The same feed served by this service and by other programs. */
export const peersPart = (report: PerformanceReport): Html => html`<h2>Beside other programs</h2>
<p>The same feed, served by this service, by Directus, and by a small service on Express and Prisma that reads pages by OFFSET. All
three were asked for the same carriers with the same load, in turns, in one run. The other two check no plan, limit, quota or
removal, and count nothing. ${runNote(report)}</p>
${table({
  label: "Beside other programs",
  rows: report.peers ?? [],
  columns: [
    {
      head: "Work",
      cell: ({ what, name }) => html`${what}<br><small><code>${name}</code></small>`,
      isLong: true,
    },
    ...(report.peers?.[0]?.results ?? []).map(({ program: head }, index) => ({
      head,
      cell: (comparison: Comparison) => resultCell(comparison, index),
      isNumber: true,
    })),
  ],
})}
<p><code>npm run bench -- --peers</code> installs both by npm under <code>DATA_DIR/bench/peers</code> and measures this again.</p>`;

function resultCell({ results, unit }: Comparison, index: number): Html | null {
  const [ours, result] = [results[0]?.result, results[index]?.result];
  if (!result) return null;
  const value = `${shown(result.median)} ${unit}`;
  if (index === 0 || !ours) return html`${value}`;
  const ratio = unit === "s" ? result.median / ours.median : ours.median / result.median;
  const verdict = ratio >= 1 ? `${shown(ratio)} × slower` : `${shown(1 / ratio)} × faster`;
  return html`${value}<br><small>${verdict}</small>`;
}

const shown = (value: number): string =>
  value.toLocaleString("en-US", { maximumSignificantDigits: value < 100 ? 2 : 4 });
