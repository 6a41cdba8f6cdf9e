import { type Html, html } from "../kit/html.ts";
import { table } from "../kit/table.ts";
import type { Cost, PerformanceReport, Spread } from "./performance-report.ts";
import { runNote } from "./run-note.ts";

/** What each kind of work costs. docs/capacity.md says what follows from it for many machines. */
export const capacityPart = (
  report: PerformanceReport,
): Html => html`<h2>What each request, row and delivery costs</h2>
<p>Processor time in millionths of a second, for each unit of the work: in the program's own process and in all of PostgreSQL's. A
processor core has a million of them each second. The last two columns are bytes of PostgreSQL's write-ahead log, which standbys
receive, and of the answers. ${runNote(report)}</p>
${table({
  label: "What each request, row and delivery costs",
  rows: report.capacity ?? [],
  columns: [
    {
      head: "Work",
      cell: ({ what, name }) => html`${what}<br><small><code>${name}</code></small>`,
      isLong: true,
    },
    { head: "Unit", cell: ({ unit }) => unit },
    {
      head: "Process",
      cell: ({ process, measured }) =>
        measured && html`${shown(measured.program)} µs<br><small>${PROCESSES[process]}</small>`,
      isNumber: true,
    },
    {
      head: "PostgreSQL",
      cell: ({ measured }) => measured?.postgres && `${shown(measured.postgres)} µs`,
      isNumber: true,
    },
    { head: "Log", cell: ({ measured }) => measured && shown(measured.wal), isNumber: true },
    { head: "Sent", cell: ({ measured }) => measured?.sent && shown(measured.sent), isNumber: true },
  ],
})}
<p><code>npm run bench -- --capacity</code> measures this again.</p>`;

const PROCESSES: Readonly<Record<Cost["process"], string>> = {
  serve: "API",
  dispatch: "dispatcher",
  import: "importer",
  bench: "the benchmark",
};

const shown = ({ median }: Spread): string =>
  median.toLocaleString("en-US", { maximumSignificantDigits: median < 1000 ? 3 : 4 });
