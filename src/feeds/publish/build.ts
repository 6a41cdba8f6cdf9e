import type pg from "pg";
import { analyze, dynamic } from "../../platform/database/statement.ts";
import { recordIdKey } from "../../platform/installation/installation.ts";
import { type Column, type Feed, isVolatile } from "../catalogue.ts";
import { DIGEST_CELLS, DIGEST_COLUMNS } from "../versions/digest-columns.ts";
import { type PackedColumn, packedColumns } from "../versions/packed-columns.ts";
import { versionTable } from "../versions/version-table.ts";
import { recordId } from "./record-id.ts";

/**
 * Builds the table of a version from the feed's derivation: rows numbered in the feed's order, each rendered once as
 * JSON and as CSV, with its hash for checkpoints, then the packed columns. Returns the number of rows.
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
    -- Several columns read the id, which is a hash. OFFSET keeps the planner from computing it in each of them.
    record AS (SELECT record.*, ${recordId(feed, "$1::bytea")} AS record_id FROM derived AS record OFFSET 0)
    SELECT
      (row_number() OVER feed_order)::integer AS pos,
      record.usdot,
      record.record_id,
      ${recordHash(feed)} AS record_hash,
      (SELECT row_to_json(shown)::text FROM (SELECT ${feed.columns.map(({ name }) => `record.${name}`).join(", ")}) AS shown) AS json,
      ${csvRow(feed.columns)} AS csv,
      ${packed.map((column) => `${tableCell(column, `record.${column.name}`)} AS ${column.name}`).join(",\n      ")}
    FROM record
    WINDOW feed_order AS (
      ORDER BY record.authority_granted DESC NULLS LAST, record.usdot, record.authority_class, record.docket)`,
    [await recordIdKey(client)],
  );
  await dynamic(client, `ALTER TABLE ${table} ADD PRIMARY KEY (pos)`);
  await dynamic(client, `CREATE INDEX ON ${table} (usdot)`);
  await analyze(client, `${table} (pos, usdot)`);
  await packColumns(client, versionId, packed);
  await packColumns(client, versionId, DIGEST_COLUMNS, ({ name }) => DIGEST_CELLS[name]);
  return rowCount;
}

type NamedColumn = Pick<Column, "name" | "kind">;

/** SQL: a column's value as text, a list's values joined by semicolons; the empty text for none. */
const plainText = ({ name, kind }: NamedColumn): string =>
  kind === "list"
    ? `coalesce(array_to_string(record.${name}, ';'), '')`
    : `coalesce(record.${name}::text, '')`;

/**
 * SQL: a record's share in its version's checkpoint, as the contract defines it: the first 8 bytes of the SHA-256 of its
 * values that are not volatile, as text in the order of the columns, joined by U+001F.
 */
export function recordHash(feed: Feed): string {
  const values = feed.columns.filter((column) => !isVolatile(column)).map(plainText);
  const digest = `sha256(convert_to(concat_ws(E'\\x1f', ${values.join(", ")}), 'UTF8'))`;
  return `('x' || encode(substring(${digest} FROM 1 FOR 8), 'hex'))::bit(64)::bigint`;
}

/** Regular expressions of what csv_text may change: in a text, at its start, and at its end. */
const NOT_PLAIN = String.raw`[\x01-\x1f\x7f\u2028\u2029",]`;
const NOT_PLAIN_FIRST = String.raw`[-\s=+@＝＋－＠;|%\u2212]`;
const NOT_PLAIN_LAST = String.raw`\s`;
/** Parts the texts of a row. None of the expressions matches it, so a text that has it is at most tested once more. */
const BETWEEN = "~";

/**
 * SQL: a record's CSV row. csv_text takes fifty times as long as the test whether it changes anything, and nearly every
 * text is plain. So the texts of a row are tested together, and one by one where the row is not plain.
 */
export function csvRow(columns: readonly NamedColumn[]): string {
  const texts = columns.filter(({ kind }) => kind === "text").map(plainText);
  const notPlain = `${NOT_PLAIN}|(^|${BETWEEN})${NOT_PLAIN_FIRST}|${NOT_PLAIN_LAST}(${BETWEEN}|$)`;
  return `CASE WHEN concat_ws('${BETWEEN}', ${texts.join(", ")}) ~ '${notPlain}'
        THEN concat_ws(',', ${columns.map(csvCell).join(", ")})
        ELSE concat_ws(',', ${columns.map(plainText).join(", ")}) END`;
}

/** SQL: a column's CSV cell. */
function csvCell(column: NamedColumn): string {
  const plain = plainText(column);
  const isNotPlain = `${plain} ~ '${NOT_PLAIN}|^${NOT_PLAIN_FIRST}|${NOT_PLAIN_LAST}$'`;
  return column.kind === "text" ? `CASE WHEN ${isNotPlain} THEN csv_text(${plain}) ELSE ${plain} END` : plain;
}

/** SQL: the value of a packed column in the version's table. `value` is SQL for the column of the record. */
export function tableCell({ form, type, words }: PackedColumn, value: string): string {
  if (form !== "bits") return `(${value})::${type}`;
  const list = `ARRAY [${(words ?? []).map((word) => `'${word}'`).join(", ")}]`;
  return `(SELECT bit_or(1 << (array_position(${list}, item) - 1)) FROM unnest(${value}) AS listed (item))`;
}

/**
 * Packs columns of a version's table that are not packed yet. A query loads a column as one value instead of as many
 * rows as the feed has: some twenty times faster. `cell` gives a column's value as SQL, its own column unless given.
 */
export async function packColumns<Packed extends Omit<PackedColumn, "name"> & { name: string }>(
  client: pg.ClientBase,
  versionId: number,
  columns: readonly Packed[],
  cell: (column: Packed) => string = ({ name }) => name,
): Promise<void> {
  if (columns.length === 0) return;
  const listed = columns.flatMap(({ form, words }) => (form === "word" && words ? [words] : []));
  const number = ({ name, type, form, words }: Packed): string => {
    if (form === "word" && words)
      return `array_position($${listed.indexOf(words) + 2}::text[], ${name}::text) - 1`;
    if (form === "text") return `${name}_index`;
    return type === "date" ? `${name} - DATE '1970-01-01'` : name;
  };
  const packed = (column: Packed) =>
    `string_agg(int4send(coalesce(${number(column)}, (-2147483648)::integer)), ''::bytea ORDER BY pos) AS ${column.name}`;
  const texts = columns.filter(({ form }) => form === "text");
  await dynamic(
    client,
    `INSERT INTO feed_version_column (version_id, name, packed, texts)
     SELECT $1, packed.* FROM (
       SELECT ${[
         ...columns.map(packed),
         ...texts.map(
           ({ name }) => `array_agg(DISTINCT ${sortable(name)} ORDER BY ${sortable(name)})
           FILTER (WHERE ${name} IS NOT NULL) AS ${name}_texts`,
         ),
       ].join(",\n         ")}
       FROM (
         SELECT *${texts.map(({ name }) => `, ${indexOf(name)} AS ${name}_index`).join("")}
         FROM (SELECT pos, ${columns.map((column) => `${cell(column)} AS ${column.name}`).join(", ")}
           FROM ${versionTable(versionId)}) AS cells
       ) AS numbered
     ) AS whole CROSS JOIN LATERAL (
       VALUES ${columns.map(({ name, form }) => `('${name}', ${name}, ${form === "text" ? `coalesce(${name}_texts, '{}')` : "NULL::text[]"})`).join(", ")}
     ) AS packed (name, packed, texts)
     WHERE packed.packed IS NOT NULL
     ON CONFLICT (version_id, name) DO NOTHING`,
    [versionId, ...listed],
  );
}

/** SQL: texts in an order that no locale changes. */
const sortable = (name: string): string => `${name} COLLATE "C"`;

/** SQL: the index of a row's text among all texts of the column, in order; null for null. */
const indexOf = (name: string): string =>
  `CASE WHEN ${name} IS NOT NULL THEN (dense_rank() OVER (ORDER BY ${sortable(name)}))::integer - 1 END`;
