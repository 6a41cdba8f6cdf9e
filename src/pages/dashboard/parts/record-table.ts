import type { Column, Feed } from "../../../feeds/catalogue.ts";
import { type Html, html } from "../../kit/html.ts";
import { table } from "../../kit/table.ts";

/** A record by column name. */
type ShownRecord = Readonly<Record<string, unknown>>;

/** A table of records with the feed's columns, whose heads tell their meaning. */
export const recordTable = (feed: Feed, records: readonly ShownRecord[]): Html =>
  table({
    label: "Records",
    isDense: true,
    rows: records,
    columns: feed.columns.map(({ name, kind, meaning }) => ({
      head: name,
      meaning,
      isNumber: kind === "integer",
      cell: (record: ShownRecord) => shownValue(record[name]),
    })),
  });

/** A table of one company's records: a line for each column of their feeds, and a column for each record. */
export const recordsBeside = (records: readonly { feed: Feed; head: Html; record: ShownRecord }[]): Html => {
  const columns = new Map(records.flatMap(({ feed }) => feed.columns.map((column) => [column.name, column])));
  return table({
    label: "Records",
    rows: [...columns.values()],
    columns: [
      { head: "Column", cell: ({ name, meaning }: Column) => html`<span title="${meaning}">${name}</span>` },
      ...records.map(({ head, record }) => ({
        head,
        cell: ({ name }: Column) => shownValue(record[name]),
      })),
    ],
  });
};

/** A table that explains the feed's columns. */
export const columnTable = (feed: Feed): Html =>
  table({
    label: "Columns",
    rows: feed.columns,
    columns: [
      { head: "Column", cell: ({ name }) => html`<code>${name}</code>` },
      { head: "Type", cell: ({ kind, isNullable }) => `${kind}${isNullable ? ", may be empty" : ""}` },
      { head: "Meaning", cell: ({ meaning }) => meaning },
      { head: "Values", cell: ({ words }) => words?.join(", ") },
    ],
  });

/** A record's value. A dash is shown for null. */
function shownValue(value: unknown): string | number | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return value;
  return Array.isArray(value) ? value.join(", ") : String(value);
}
