import type { Column, Feed } from "../../../../feeds/catalogue.ts";
import { codeInWords } from "../../../../registry/code-words.ts";
import { withCode } from "../../../kit/code-block.ts";
import { type Html, html } from "../../../kit/html.ts";
import { type Column as TableColumn, table } from "../../../kit/table.ts";

/** A record by column name. */
type ShownRecord = Readonly<Record<string, unknown>>;

/**
 * A table of records with these columns, whose heads tell their name and meaning. The first column leads to `pageOf` the
 * company, if there is such a page; `sortOf` gives the link that sorts by a column, null where there is none.
 */
export const recordTable = (
  columns: readonly Column[],
  records: readonly ShownRecord[],
  links?: {
    pageOf: (usdot: unknown) => string;
    sortOf: (column: Column) => TableColumn<ShownRecord>["sort"];
  },
): Html =>
  table({
    label: "Records",
    isDense: true,
    hasManyColumns: true,
    rowsAreCards: links !== undefined,
    rows: records,
    columns: columns.map((column, index) => ({
      head: column.label,
      meaning: titleOf(column),
      isNumber: column.kind === "integer",
      sort: links?.sortOf(column) ?? null,
      cell: (record: ShownRecord) =>
        index === 0 && links
          ? html`<a href="${links.pageOf(record.dot_number)}">${shownValue(column, record)}</a>`
          : shownValue(column, record),
    })),
  });

/** A table of one company's records: a line for each column in which any of them has a value, and a column for each record. */
export const recordsBeside = (records: readonly { feed: Feed; head: Html; record: ShownRecord }[]): Html => {
  const columns = new Map(records.flatMap(({ feed }) => feed.columns.map((column) => [column.name, column])));
  return table({
    label: "Records",
    caption: "Columns that are empty in every record are left out.",
    rows: [...columns.values()].filter(({ name }) =>
      records.some(({ record }) => (record[name] ?? null) !== null),
    ),
    columns: [
      {
        head: "Column",
        cell: (column: Column) => html`<span title="${titleOf(column)}">${column.label}</span>`,
      },
      ...records.map(({ head, record }) => ({
        head,
        cell: (column: Column) => shownValue(column, record),
      })),
    ],
  });
};

/** A table that explains the feed's columns. */
export const columnTable = (feed: Feed): Html =>
  table({
    label: "Columns",
    rowsAreCards: true,
    rows: feed.columns,
    columns: [
      { head: "Column", cell: ({ label, name }) => html`${label}<br><code>${name}</code>` },
      {
        head: "Type",
        cell: ({ kind, isNullable }) =>
          isNullable ? html`${kind}<br><span class="hint">may be empty</span>` : kind,
      },
      { head: "Meaning", isLong: true, cell: meaningOf },
      { head: "How it is made", isLong: true, cell: ({ origin }) => origin && withCode(origin) },
    ],
  });

/** What a column means; below it the words that it may have. */
const meaningOf = ({ meaning, words }: Column): Html =>
  html`${withCode(meaning)}${
    words !== null &&
    html`<br><span class="hint">Values:</span> ${words.map((word, index) => html`${index > 0 && ", "}<code>${word}</code>`)}`
  }`;

/** What a column means, after its name in files and the API. */
const titleOf = ({ name, meaning }: Column): string => `${name}: ${meaning}`;

/** A record's value in a column. A dash is shown for null. */
function shownValue({ name, isYear, words }: Column, record: ShownRecord): string | number | null {
  const value = record[name];
  if (value === null || value === undefined) return null;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return isYear ? String(value) : value;
  const shown = (text: unknown): string => (words === null ? String(text) : codeInWords(String(text)));
  return Array.isArray(value) ? value.map(shown).join(", ") : shown(value);
}
