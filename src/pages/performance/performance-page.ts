import type { RequestHandler } from "express";
import type { EntryContext } from "../../platform/context.ts";
import { sendSitePage } from "../frame/frame.ts";
import { badge, type Tone } from "../kit/badge.ts";
import { cards } from "../kit/card.ts";
import { codeBlock } from "../kit/code-block.ts";
import { type Html, html } from "../kit/html.ts";
import { notice } from "../kit/notice.ts";
import { table } from "../kit/table.ts";
import { capacityPart } from "./capacity-part.ts";
import { byInterest, headline } from "./headline.ts";
import { lastRun } from "./last-run.ts";
import { peersPart } from "./peers-part.ts";
import type { Machine, Measured, PerformanceReport, Spread } from "./performance-report.ts";
import { SHORTFALLS } from "./shortfalls.ts";

let body: Html | undefined;

/** GET /docs/performance: how fast this program is, how that was measured, and how to repeat it. */
export const performancePage =
  (context: EntryContext): RequestHandler =>
  (_request, response) => {
    body ??= performanceBody(
      [lastRun("full"), lastRun("tenth")],
      html`${peersPart(lastRun("peers"))}${capacityPart(lastRun("capacity"))}`,
    );
    sendSitePage(context, response, "wide", {
      title: "Performance",
      description: "How fast the service is, measured against the least that the same machine needs.",
      body,
      here: "/docs/performance",
    });
  };

const performanceBody = (
  reports: readonly PerformanceReport[],
  tables: Html,
): Html => html`<h1>Performance</h1>
${reports[0] && cards(headline(reports[0]))}
<p>Each measure compares the service with its limit: the least that the same machine needs for the same work. The limits are
PostgreSQL's own clients, a bare web server that sends the same bytes, and a bare loop of requests. Some measures compare the
service with itself: an export as Parquet with one as CSV. Both take turns in one run. The values are medians. Ratios hold on other
machines, too; seconds do not.</p>
${reports.map(reportPart)}
${tables}
<h2>How to repeat it</h2>
${codeBlock({ id: "repeat", code: REPEAT, language: "bash" })}
<p>The benchmark makes databases of its own and removes them: on a PostgreSQL that it starts, or on the server of
<code>DATABASE_URL</code>. Run nothing else on the machine meanwhile. psql and pgbench come with Debian's postgresql-client and
postgresql-contrib. Without them the limits are loops on the driver, and this page says so. The file of <code>--json</code> has
every round of each measure.</p>`;

const REPEAT = `npm ci
npm run bench                             # a tenth of the real registry
npm run bench -- --carriers 4500000       # all of it
npm run bench -- --only hot-page --json result.json
npm run bench -- --peers                  # beside other programs
npm run bench -- --capacity               # processor time of each request, row and delivery
npm run bench -- --help`;

const reportPart = (report: PerformanceReport): Html => html`<h2>${titleOf(report)}</h2>
${sizeNote(report)}
${table({
  label: titleOf(report),
  rows: byInterest(report.measures),
  columns: [
    { head: "Measure", cell: whatIsMeasured, isLong: true },
    {
      head: "Value",
      cell: ({ value, unit }) => (value === null ? null : html`${value} ${unit}`),
      isNumber: true,
    },
    { head: "Target", cell: (measured) => html`${targetOf(measured)}`, isNumber: true },
    { head: "Verdict", cell: ({ verdict }) => badge(TONES[verdict], verdict) },
    { head: "Compared with", cell: ({ against }) => against, isLong: true },
  ],
})}
<p>× is the ratio to the limit. For times less is better (target ≤); for rows, answers or deliveries a second more is better
(target ≥).</p>
${machineFacts(report.machine)}
<details>
<summary>The registry files of this run</summary>
<p>A made-up registry of ${count(report.size.carriers)} companies, in the formats of the official files. Pages and exports were
measured on versions with the number of rows that each line names. Their rows repeat that registry's records.</p>
${table({
  label: `Registry files: ${titleOf(report)}`,
  rows: report.files,
  columns: [
    { head: "File", cell: ({ name }) => name },
    { head: "Rows", cell: ({ rows }) => rows, isNumber: true },
    { head: "MB", cell: ({ sizeBytes }) => count(sizeBytes / 1e6), isNumber: true },
  ],
})}
</details>`;

const REAL_CARRIERS = 4_500_000;

const shareOf = ({ size }: PerformanceReport): number => Math.round((100 * size.carriers) / REAL_CARRIERS);

const titleOf = (report: PerformanceReport): string =>
  shareOf(report) === 100 ? "The registry's full size" : `${shareOf(report)} % of the registry's size`;

function sizeNote({ size, finishedAt, program, measures }: PerformanceReport): Html {
  if (size.isSmoke) {
    return notice("warn", "This run only showed that the benchmarks work. It judged nothing.");
  }
  const met = measures.filter(({ verdict }) => verdict === "met").length;
  return html`<p>${met} of ${measures.length} targets met. Run of ${finishedAt.slice(0, 10)}, version ${program}, ${count(size.carriers)}
companies; medians of ${size.rounds} rounds.</p>`;
}

const TONES: Readonly<Record<Measured["verdict"], Tone>> = {
  met: "good",
  missed: "warn",
  "not judged": "plain",
  "not measured": "plain",
};

const targetOf = ({ target, unit }: Measured): string =>
  "atMost" in target ? `≤ ${target.atMost} ${unit}` : `≥ ${target.atLeast} ${unit}`;

const whatIsMeasured = (measured: Measured): Html => {
  const { name, what, verdict } = measured;
  return html`${what}<br><small><code>${name}</code>${medians(measured)}</small>${verdict === "missed" && html`<br><small>${SHORTFALLS[name]}</small>`}`;
};

/** The medians that a ratio comes from. */
function medians({ details }: Measured): Html | null {
  const { subject, limit } = details as { subject?: Spread; limit?: Spread };
  if (!subject || !limit) return null;
  return html` ${count(subject.median)} ${subject.unit} against ${count(limit.median)} ${limit.unit}`;
}

const machineFacts = ({
  cores,
  processor,
  memoryGib,
  system,
  node,
  database,
  psql,
  pgbench,
  loadAverage,
}: Machine): Html => html`<dl class="facts">
<dt>Machine</dt><dd>${cores} × ${processor}, ${memoryGib} GiB, ${system}, Node ${node}; load of ${loadAverage} at the start</dd>
<dt>PostgreSQL</dt><dd>${database.version}, ${database.isEmbedded ? "the embedded one" : "the server of DATABASE_URL"}:
${Object.entries(database.settings).map(([name, value]) => html`<code>${name} = ${value}</code> `)}</dd>
<dt>Limits by</dt><dd>${psql ?? "a loop on the driver instead of psql"} and ${pgbench ?? "a loop on the driver instead of pgbench"}</dd>
</dl>`;

const count = (value: number): string => value.toLocaleString("en-US", { maximumFractionDigits: 1 });
