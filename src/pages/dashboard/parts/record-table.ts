import type { Feed } from "../../../feeds/catalogue.ts";
import { type Html, html } from "../../kit/html.ts";

/** A table of records with the feed's columns. An unknown value is a dash. */
export const recordTable = (
  feed: Feed,
  records: readonly Readonly<Record<string, unknown>>[],
): Html => html`<div class="scroll" tabindex="0" role="region" aria-label="Records">
<table class="records">
<thead><tr>${feed.columns.map(({ name, meaning }) => html`<th scope="col" title="${meaning}">${name}</th>`)}</tr></thead>
<tbody>
${records.map(
  (
    record,
  ) => html`<tr>${feed.columns.map(({ name, kind }) => html`<td${kind === "integer" && html` class="number"`}>${shownValue(record[name])}</td>`)}</tr>
`,
)}</tbody>
</table>
</div>`;

function shownValue(value: unknown): string {
  if (value === null || value === undefined) return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  return String(value);
}
