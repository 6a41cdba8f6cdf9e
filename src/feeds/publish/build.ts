import type pg from "pg";
import { analyze, dynamic } from "../../platform/database/statement.ts";
import { recordIdKey } from "../../platform/installation/installation.ts";
import type { Column, Feed } from "../catalogue.ts";
import { type PackedColumn, packedColumns } from "../versions/packed-columns.ts";
import { versionTable } from "../versions/version-table.ts";
import { recordId } from "./record-id.ts";

/**
 * Builds the table of a version from the feed's derivation: rows numbered in the feed's order, each rendered once as
 * JSON and as CSV, then the packed filter columns. Returns the number of rows.
 */
export async function buildVersion(
  client: pg.ClientBase,
  feed: Feed,
  derivation: string,
  versionId: number,
): Promise<number> {
  const table = versionTable(versionId);
  const packed = [...packedColumns(feed).values()];
  const { rowCount } = await dynamic(
    client,
    `
    CREATE TABLE ${table} AS
    WITH derived AS (${derivation}),
    record AS (SELECT record.*, ${recordId(feed, "$1::bytea")} AS record_id FROM derived AS record)
    SELECT
      (row_number() OVER feed_order)::integer AS pos,
      record.usdot,
      record.record_id,
      (SELECT row_to_json(shown)::text FROM (SELECT ${feed.columns.map(({ name }) => `record.${name}`).join(", ")}) AS shown) AS json,
      ${feed.columns.map(csvCell).join(" || ',' || ")} AS csv,
      ${packed.map(({ name, type }) => `record.${name}::${type} AS ${name}`).join(",\n      ")}
    FROM record
    WINDOW feed_order AS (
      ORDER BY record.authority_granted DESC NULLS LAST, record.usdot, record.authority_class, record.docket)
    ORDER BY pos`,
    [await recordIdKey(client)],
  );
  await dynamic(client, `ALTER TABLE ${table} ADD PRIMARY KEY (pos)`);
  await dynamic(client, `CREATE INDEX ON ${table} (usdot)`);
  await analyze(client, table);
  await packColumns(client, versionId, packed);
  return rowCount;
}

/** A regular expression that matches every text in which csv_text may change something. */
const NOT_PLAIN = String.raw`[\x01-\x1f\x7f\u2028\u2029",]|^\s|\s$|^[-=+@＝＋－＠;|%\u2212]`;

/** SQL: a column's CSV cell. Nearly every text is plain; testing for that takes a fiftieth of csv_text's time. */
export function csvCell({ name, kind }: Pick<Column, "name" | "kind">): string {
  if (kind === "list") return `coalesce(array_to_string(record.${name}, ';'), '')`;
  const text = `record.${name}::text`;
  const plain = `coalesce(${text}, '')`;
  return kind === "text"
    ? `CASE WHEN ${text} ~ '${NOT_PLAIN}' THEN csv_text(${text}) ELSE ${plain} END`
    : plain;
}

/**
 * Packs columns of a version's table that are not packed yet. A query loads a column as one value instead of as many
 * rows as the feed has: some twenty times faster. `cell` gives a column's value as SQL, its own column unless given.
 */
export async function packColumns(
  client: pg.ClientBase,
  versionId: number,
  columns: readonly PackedColumn[],
  cell: (column: PackedColumn) => string = ({ name }) => name,
): Promise<void> {
  if (columns.length === 0) return;
  const words = columns.flatMap((column) => (column.words ? [column.words] : []));
  const number = (column: PackedColumn): string => {
    if (column.words)
      return `array_position($${words.indexOf(column.words) + 2}::text[], ${cell(column)}::text) - 1`;
    return column.type === "date" ? `${cell(column)} - DATE '1970-01-01'` : cell(column);
  };
  const packed = (column: PackedColumn) =>
    `string_agg(int4send(coalesce(${number(column)}, (-2147483648)::integer)), ''::bytea ORDER BY pos) AS ${column.name}`;
  await dynamic(
    client,
    `INSERT INTO feed_version_column (version_id, name, packed)
     SELECT $1, packed.* FROM (
       SELECT ${columns.map(packed).join(",\n         ")}
       FROM ${versionTable(versionId)}
     ) AS whole CROSS JOIN LATERAL (
       VALUES ${columns.map(({ name }) => `('${name}', ${name})`).join(", ")}
     ) AS packed (name, packed)
     WHERE packed.packed IS NOT NULL
     ON CONFLICT (version_id, name) DO NOTHING`,
    [versionId, ...words],
  );
}
