// The API specification's own tables: tests compare openapi.yaml, and the code generated from it, with them.
import { readFileSync } from "node:fs";

type Row = Readonly<Record<string, string>>;

const { tables } = JSON.parse(
  readFileSync(new URL("../fixtures/specification-tables.json", import.meta.url), "utf8"),
) as { tables: { heading: string; rows: Row[] }[] };

/** The rows of the table under a heading that has the column. */
export function specificationTable(heading: string, column: string): readonly Row[] {
  const found = tables.find((table) => table.heading === heading && table.rows[0]?.[column] !== undefined);
  if (found === undefined) throw new Error(`The specification has no table under ${heading} with ${column}.`);
  return found.rows;
}

const listOf = (text: string | undefined): string[] => (text ?? "").split(", ");

/** The feeds, in the specification's order. */
export const SPECIFIED_FEEDS = specificationTable("What the service does", "Feed code").map(
  (row) => row["Feed code"] ?? "",
);

/** The table "Which filters apply to which feed", row by row: filters, and the feeds that have them. */
export const SPECIFIED_FILTER_ROWS = specificationTable("Endpoints / GET /v1/feeds/{code}/records", "Feeds")
  .filter(({ Feeds }) => Feeds !== "all feeds")
  .map(({ Parameter, Feeds }): [filters: string[], feeds: string[]] => [listOf(Parameter), listOf(Feeds)]);

/** The feeds of each filter; filters in the order of the table of parameters. */
export const SPECIFIED_FILTERS: ReadonlyMap<string, readonly string[]> = new Map(
  specificationTable("Endpoints / GET /v1/feeds/{code}/records", "Name").flatMap(({ Name = "" }) => {
    const row = SPECIFIED_FILTER_ROWS.find(([filters]) => filters.includes(Name));
    return row ? [[Name, row[1]] as const] : [];
  }),
);

/** The event types, in the specification's order. */
export const SPECIFIED_EVENT_TYPES = specificationTable("Events", "type").map(({ type }) => type ?? "");
