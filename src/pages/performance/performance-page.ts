import { readFileSync } from "node:fs";
import type { Request, Response } from "express";
import type { EntryContext } from "../../platform/context.ts";
import { sendSitePage } from "../frame/frame.ts";
import { type Html, html } from "../kit/html.ts";
import type { Machine, Measured, PerformanceReport } from "./performance-report.ts";

/** What the last runs found: `npm run bench -- --json FILE` writes one. */
const LAST_RUNS = ["full", "tenth"].map(
  (size) => new URL(`../../../docs/performance/${size}.json`, import.meta.url),
);

let body: Html | undefined;

/** GET /docs/performance: how fast this program is, how that was found, and how to repeat it. */
export const performancePage =
  (context: EntryContext) =>
  (_request: Request, response: Response): void => {
    body ??= performanceBody(
      LAST_RUNS.map((file) => JSON.parse(readFileSync(file, "utf8")) as PerformanceReport),
    );
    sendSitePage(context, response, "text", { title: "Performance", body, here: "/docs/performance" });
  };

/** The page of some runs. */
const performanceBody = (reports: readonly PerformanceReport[]): Html => html`<h1>Performance</h1>
<p>What this program takes, held against the least that anything could take on the same machine: PostgreSQL's own clients,
a bare web server with the same bytes, a bare loop of requests. Both were measured in one run, taking turns; the values are
medians. Ratios carry over to other machines, seconds do not.</p>
${reports.map(reportPart)}
<h2>How to repeat it</h2>
<pre>npm ci
npm run bench                             # a tenth of the real registry
npm run bench -- --carriers 4500000       # all of it
npm run bench -- --only hot-page --json result.json
npm run bench -- --help</pre>
<p>It makes databases of its own, on a PostgreSQL of its own or on the server that DATABASE_URL names, and removes them. Nothing
else should run on the machine meanwhile. psql and pgbench come with Debian's postgresql-client and postgresql-contrib; without
them the limits are loops on the driver, and the table says so. A line's details, with the value of every round, stand in the
file of --json.</p>`;

const reportPart = (report: PerformanceReport): Html => html`<h2>${titleOf(report)}</h2>
${sizeNote(report)}
<table><tr><th>What</th><th>Against</th><th>Value</th><th>Target</th><th></th></tr>
${report.measures.map(measureRow)}</table>
<p>× is how many times the limit it is: time against time, where less is better, or throughput against throughput (rows, answers
or deliveries a second), where more is. The targets say which: ≤ at most, ≥ at least.</p>
${machineList(report.machine)}
<p>A made-up registry in the official files' formats, of ${count(report.size.carriers)} companies; pages and exports were measured
on versions of the size each line tells, with that registry's records over and over.</p>
<table><tr><th>File</th><th>Rows</th><th>MB</th></tr>
${report.files.map(
  ({
    name,
    rows,
    sizeBytes,
  }) => html`<tr><td>${name}</td><td>${count(rows)}</td><td>${count(sizeBytes / 1e6)}</td></tr>
`,
)}</table>`;

const REAL_CARRIERS = 4_500_000;

const shareOf = ({ size }: PerformanceReport): number => Math.round((100 * size.carriers) / REAL_CARRIERS);

const titleOf = (report: PerformanceReport): string =>
  shareOf(report) === 100 ? "The registry's full size" : `${shareOf(report)} % of the registry's size`;

function sizeNote({ size, finishedAt, program }: PerformanceReport): Html {
  const day = finishedAt.slice(0, 10);
  if (size.isSmoke)
    return html`<p><strong>This run only showed that the benchmarks work; it judged nothing.</strong></p>`;
  return html`<p>Run of ${day}, version ${program}, of ${count(size.carriers)} companies; medians of ${size.rounds} rounds.</p>`;
}

/** What profiles say of measures that fall short, or come close enough to do so in some runs. */
export const SHORTFALLS: Readonly<Record<string, string>> = {
  "import-copy":
    "One processor reads, checks and normalises the rows while the other takes them in, both in full use; psql passes " +
    "lines on. Two runs of the same program on this size gave 0.79 and 0.81, one at full size 0.85.",
  "hot-page":
    "No part of the pipeline stands out: writing to the socket, collecting garbage, the log line and the hashes of key " +
    "and entity tag are the largest, and each is a small part of a fifth of a millisecond.",
  "hot-page-alone":
    "Three statements follow each other, each a quarter of a millisecond there and back: key and limit, version and " +
    "removals, quota. None of them waits for the disk; the bare server has one, which does. Requests side by side share " +
    "statements; those of one connection cannot.",
  "export-whole":
    "The bytes alone, written by a bare server to the same client, take about two thirds of the time; the rest is " +
    "reading the file, adding the licence to each row and leaving out removed ones.",
  dispatch:
    "Each delivery is claimed and recorded: two updates of a row with seven indexes and a row for the attempt, under a " +
    "lock that keeps every pause, rotation and removal exact to the commit. That takes some 95 µs of the dispatcher's and " +
    "150 µs of the database's processor time, and uses up two processors by more than four fifths; the bare loop, which " +
    "stores nothing, and its receiver take 35 µs together.",
  "dispatch-dead":
    "The dead endpoint may have 5 deliveries in flight and keeps them for as long as an attempt may take: a twentieth of " +
    "the 100 that a process has by default. The rest is noise of two processors that are both in full use.",
  "page-database":
    "The statement takes what pgbench's takes; a third of the time is the driver's, which makes strings of a hundred rows. " +
    "One string made by the database was tried instead: 0.43 ms a page against 0.39.",
  removals:
    "Over 300 requests a round, first with the list, then without, then the other way round, the two differ by less than " +
    "a twentieth; what is more is the machine's noise.",
  "start-memory":
    "Of what the process holds, 60 MB are Node's own program, 50 what the heap needs after it was collected, 40 columns, " +
    "lists of positions and finished pages; the rest is garbage not collected yet.",
  "publish-stall":
    "Looked at every 2 ms, readers wait for a processor, not for a lock or the disk: while the import's commit clears away " +
    "what it had staged (0.2 s of one of two processors), the service's thread stood in the queue for 25 of 30 ms.",
};

const measureRow = (measured: Measured): Html => {
  const { name, what, against, value, unit, verdict, target } = measured;
  const least = "atMost" in target ? `≤ ${target.atMost}` : `≥ ${target.atLeast}`;
  return html`<tr><td title="${name}">${what}${medians(measured)}${verdict === "missed" && html`<br><small>${SHORTFALLS[name]}</small>`}</td><td>${against ?? "–"}</td>
<td>${value === null ? "–" : `${value} ${unit}`}</td><td>${least} ${unit}</td><td>${verdict}</td></tr>
`;
};

interface Spread {
  median: number;
  unit: string;
}

/** The medians that a ratio comes from. */
function medians({ details }: Measured): Html | null {
  const { subject, limit } = details as { subject?: Spread; limit?: Spread };
  if (!subject || !limit) return null;
  return html`<br><small>${subject.median} ${subject.unit} against ${limit.median} ${limit.unit}</small>`;
}

const machineList = ({
  cores,
  processor,
  memoryGib,
  system,
  node,
  database,
  psql,
  pgbench,
  loadAverage,
}: Machine): Html => html`<ul>
<li>${cores} × ${processor}, ${memoryGib} GiB, ${system}, Node ${node}; load of ${loadAverage} when it began</li>
<li>PostgreSQL ${database.version}, ${database.isEmbedded ? "the embedded one" : "a server by name"}:
${Object.entries(database.settings).map(([name, value]) => html`<code>${name} = ${value}</code> `)}</li>
<li>Limits by ${psql ?? "a loop on the driver in the place of psql"} and ${pgbench ?? "a loop on the driver in the place of pgbench"}</li>
</ul>`;

const count = (value: number): string => value.toLocaleString("en-US", { maximumFractionDigits: 1 });
