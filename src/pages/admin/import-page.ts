import type { ImportReport, ImportRun } from "../../importer/runs.ts";
import type { EntryContext } from "../../platform/context.ts";
import { linkTo } from "../frame/links.ts";
import { withCode } from "../kit/code-block.ts";
import { type Html, html } from "../kit/html.ts";
import { backTo } from "../kit/navigation.ts";
import { notice } from "../kit/notice.ts";
import { facts, table } from "../kit/table.ts";
import { shownTime } from "../kit/time.ts";
import { guardsOf, runBadge } from "./run-words.ts";

/** One import: why it was refused, or what it changed. */
export const importPage = (
  context: EntryContext,
  run: ImportRun,
): Html => html`${backTo(linkTo(context, "/admin"), "State of the service")}<h1>Import ${run.id}</h1>
${facts([
  ["Outcome", runBadge[run.status]],
  ["Started", shownTime(run.startedAt.toISOString())],
  ["Ended", shownTime(run.finishedAt?.toISOString())],
  ["Registry as of", run.asOf && html`<time>${run.asOf}</time>`],
  ["Folder", html`<code>${run.folder}</code>`],
  ["Refused by", guardsOf(run)],
])}
${run.refusal !== null && notice(run.status === "refused" ? "bad" : "warn", withCode(run.refusal))}
${run.status === "refused" && previewPart(run)}
${run.report !== null && reportParts(run.report)}`;

/** What a refused import would change: as it was found then, or how to find it. */
const previewPart = ({ folder, preview }: ImportRun): Html =>
  preview === null
    ? html`<p>Nothing was changed. This shows what the import would change, if its files can be read:</p>
<p><code>tdf import --dir ${folder} --preview</code></p>`
    : html`${moreRefusals(preview)}
<p>Nothing was changed. With these checks accepted, the import would change this:</p>
${reportParts(preview)}`;

const moreRefusals = ({ refusals = [] }: ImportReport): Html | false =>
  refusals.length > 1 &&
  html`<p>All checks that refuse it:</p>
<ul>${refusals.map((refusal) => html`<li>${withCode(refusal)}</li>`)}</ul>`;

const reportParts = ({ files, feeds, events }: ImportReport): Html => html`<h2>Feeds</h2>
${table({
  label: "Feeds",
  rowsAreCards: true,
  rows: feeds,
  columns: [
    { head: "Feed", cell: ({ feed }) => html`<code>${feed}</code>` },
    { head: "Version", cell: ({ version }) => String(version) },
    { head: "Rows before", isNumber: true, cell: ({ rowsBefore }) => rowsBefore },
    { head: "Rows now", isNumber: true, cell: ({ rowsAfter }) => rowsAfter },
    { head: "Added", isNumber: true, cell: ({ changes }) => changes?.added.rows },
    { head: "Removed", isNumber: true, cell: ({ changes }) => changes && removedRows(changes) },
    { head: "Changed", isNumber: true, cell: ({ changes }) => changes?.changedRows },
  ],
})}
<h2>Events</h2>
${eventTable(Object.entries(events))}
<h2>Files</h2>
${table({
  label: "Files",
  rowsAreCards: true,
  rows: files,
  columns: [
    { head: "File", cell: ({ file }) => html`<code>${file}</code>` },
    { head: "Dataset", cell: ({ dataset }) => html`<code>${dataset}</code>` },
    { head: "Rows read", isNumber: true, cell: ({ rowsRead }) => rowsRead },
    { head: "Kept", isNumber: true, cell: ({ kept }) => kept },
    { head: "Newest day", cell: ({ newestRowOn }) => newestRowOn && html`<time>${newestRowOn}</time>` },
  ],
})}`;

type Changes = NonNullable<ImportReport["feeds"][number]["changes"]>;

const removedRows = ({ removed }: Changes): number =>
  Object.values(removed).reduce((sum, { rows }) => sum + rows, 0);

const eventTable = (rows: readonly (readonly [string, number])[]): Html =>
  rows.length === 0
    ? html`<p>None.</p>`
    : table({
        label: "Events",
        rows,
        columns: [
          { head: "Type", cell: ([type]) => html`<code>${type}</code>` },
          { head: "Events", isNumber: true, cell: ([, events]) => events },
        ],
      });
