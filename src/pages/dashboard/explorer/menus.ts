// What can be done with the rows of a view: other columns, and a file of them.
import type { Feed } from "../../../feeds/catalogue.ts";
import type { ExportFormat } from "../../../feeds/export/format.ts";
import { countOf } from "../../../platform/plural.ts";
import { checks } from "../../kit/field.ts";
import { type Html, html } from "../../kit/html.ts";
import { COMPANY, searchOf, type View } from "./view.ts";

/** What a download of the rows that a page shows would charge. */
export interface Download {
  /** The account whose quota it charges. */
  accountId: number;
  /** The rows left in the month's quota. */
  left: number;
  /** How many rows the file has; null when they are not known. */
  rows: number | null;
  charge: number;
}

const FORMATS = {
  csv: { name: "CSV", use: "for spreadsheets" },
  ndjson: { name: "NDJSON", use: "for programs, a record on each line" },
  parquet: { name: "Parquet", use: "for data tools" },
} satisfies Record<ExportFormat, { name: string; use: string }>;

/** The formats that a feed's page offers for download. */
export const EXPORT_FORMATS = Object.keys(FORMATS) as ExportFormat[];

/** The view as hidden fields of a form, so that the page after it shows the same. */
export const hiddenView = (feed: Feed, view: View, without: readonly string[] = []): Html[] =>
  [...new URLSearchParams(searchOf(feed, { ...view, page: 1 }))]
    .filter(([name]) => !without.includes(name))
    .map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`);

/** The form that chooses the columns of the table. */
export const columnMenu = (feed: Feed, view: View, here: string): Html => {
  const first = feed.columns.filter(({ name }) => feed.firstColumns.includes(name));
  const others = feed.columns.filter(({ name }) => !feed.firstColumns.includes(name));
  const choices = [...first, ...others].filter(({ name }) => name !== COMPANY);
  return html`<details class="menu">
<summary class="button quiet">Columns</summary>
<form method="get" action="${here}">
${hiddenView(feed, view, ["columns"])}<div class="pick">
${checks({
  name: "columns",
  label: "Columns, beside the company",
  choices: choices.map(({ name, label }) => [name, label]),
  values: view.columns.map(({ name }) => name),
})}</div>
<p class="row actions"><button>Show these columns</button> <a class="button quiet" href="${here}${searchOf(feed, { ...view, columns: feed.columns })}">Show all</a></p>
</form>
</details>`;
};

/** The form that downloads the rows of the view; its buttons do nothing when the quota is used up. */
export const downloadMenu = (feed: Feed, view: View, here: string, download: Download): Html => {
  const { accountId, rows, charge, left } = download;
  const isUsedUp = left === 0 && charge > left;
  return html`<details class="menu">
<summary class="button">Download</summary>
<form method="get" action="${here}/export.csv">
<input type="hidden" name="account" value="${accountId}">
${hiddenView(feed, view, ["columns", "sort"])}<p>${rows !== null && html`A file has all <strong>${countOf(rows, "row")}</strong> that match, with every column. It charges <strong>${countOf(charge, "row")}</strong> of the month's quota, once a month in whatever format.`}</p>
${EXPORT_FORMATS.map(
  (format) =>
    html`<p class="row"><button class="quiet" formaction="${here}/export.${format}" data-download${isUsedUp && html` disabled`}>Download as ${FORMATS[format].name}</button> <span class="hint">${FORMATS[format].use}</span></p>
`,
)}</form>
</details>`;
};
