import { markdownTable } from "../../src/pages/guides/markdown-table.ts";
import type { Spread } from "../bench/frame/report.ts";
import type { CapacityReport, Cost } from "../studies/capacity/work.ts";
import type { Comparison, PeersReport } from "../studies/peers/peer.ts";
import { runNote, shown } from "./wording.ts";

/** The same feed served by this service and by other programs. */
export const peersPart = (report: PeersReport): string => `## Beside other programs

The same feed, served by this service, by Directus, and by a small service on Express and Prisma that reads pages by OFFSET. All
three were asked for the same carriers with the same load, in turns, in one run. The other two check no plan, limit, quota or
removal, and count nothing. ${runNote(report)}

${markdownTable(
  ["Work", ...(report.peers[0]?.results.map(({ program }) => program) ?? [])],
  report.peers.map((comparison) => [
    `${comparison.what} (\`${comparison.name}\`)`,
    ...comparison.results.map((_, index) => resultCell(comparison, index)),
  ]),
  report.peers[0]?.results.map((_, index) => index + 1),
)}

\`npm run study -- peers\` installs both by npm under \`DATA_DIR/bench/peers\` and measures this again.`;

function resultCell({ results, unit }: Comparison, index: number): string {
  const [ours, result] = [results[0]?.result, results[index]?.result];
  if (!result) return "–";
  const value = `${compared(result.median)} ${unit}`;
  if (index === 0 || !ours) return value;
  const ratio = unit === "s" ? result.median / ours.median : ours.median / result.median;
  return `${value}, ${ratio >= 1 ? `${compared(ratio)} × slower` : `${compared(1 / ratio)} × faster`}`;
}

const compared = (value: number): string => shown(value, value < 100 ? 2 : 4);

/** What each kind of work costs. docs/capacity.md says what follows from it for many machines. */
export const capacityPart = (report: CapacityReport): string => `## What each request, row and delivery costs

Processor time in millionths of a second, for each unit of the work: in the program's own process and in all of PostgreSQL's. A
processor core has a million of them each second. The last two columns are bytes of PostgreSQL's write-ahead log, which standbys
receive, and of the answers. ${runNote(report)}

${markdownTable(["Work", "Unit", "Process", "PostgreSQL", "Log", "Sent"], report.capacity.map(costRow), [2, 3, 4, 5])}

\`npm run study -- capacity\` measures this again.`;

const PROCESSES: Readonly<Record<Cost["process"], string>> = {
  serve: "API",
  dispatch: "dispatcher",
  import: "importer",
  bench: "the benchmark",
};

function costRow({ name, what, unit, process, measured }: Cost): string[] {
  const cell = (spread: Spread | null | undefined, of = "") =>
    spread ? `${shown(spread.median, spread.median < 1000 ? 3 : 4)}${of}` : "–";
  return [
    `${what} (\`${name}\`)`,
    unit,
    `${cell(measured?.program, " µs")}, ${PROCESSES[process]}`,
    cell(measured?.postgres, " µs"),
    cell(measured?.wal),
    cell(measured?.sent),
  ];
}
