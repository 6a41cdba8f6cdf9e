import type pg from "pg";
import { analyze, dynamic, type Queryable } from "../../platform/database/statement.ts";
import { recordIdKey } from "../../platform/installation/installation.ts";
import { type Column, type Feed, isVolatile } from "../catalogue.ts";
import { type FeedRules, firstFailure, isOfFeed } from "../rules/rule.ts";
import { versionTable } from "../versions/feed-version.ts";
import { KEY_CELLS, KEY_COLUMNS, packedColumns } from "../versions/packed-columns.ts";
import { packColumns, tableCell } from "../versions/packing.ts";

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
  await packColumns(client, versionId, KEY_COLUMNS, ({ name }) => KEY_CELLS[name]);
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

/** The digits of a hash as letters. Spreadsheets read a text of digits as a number, and cut it. */
const [DIGITS, LETTERS] = ["0123456789abcdef", "abcdefghijklmnop"];
const LENGTH = 16;

/**
 * SQL: the id of a row of `record`, made of the columns that identify it within its feed. `key` is SQL for the key of the
 * installation: without it nobody can compute ids, or find the company of an id.
 */
export function recordId({ code, recordKey }: Feed, key: string): string {
  const names = recordKey.map((name) => `coalesce(record.${name}::text, '')`);
  const text = `concat_ws('|', '${code}', ${names.join(", ")})`;
  const hash = `encode(sha256(${key} || convert_to(${text}, 'UTF8')), 'hex')`;
  return `translate(left(${hash}, ${LENGTH}), '${DIGITS}', '${LETTERS}')`;
}

/**
 * How many authorities of the feed's classes are not among a version's `rows` rows, by the name of the first rule that
 * they fail. These counts and the rows add up to all authorities of the classes. Needs the temporary table of
 * openCandidates as of the version's day.
 */
export async function countLeftOut(
  client: pg.ClientBase,
  feedRules: FeedRules,
  rows: number,
): Promise<Record<string, number>> {
  const found = await dynamic(
    client,
    `SELECT ${firstFailure(feedRules)} AS code, count(*)::int AS count
     FROM candidate WHERE ${isOfFeed(feedRules)} GROUP BY 1`,
  );
  const counts = found.rows as { code: string | null; count: number }[];
  const countOf = (wanted: string | null) => counts.find(({ code }) => code === wanted)?.count ?? 0;
  const { rules, unselected } = feedRules;
  const leftOut = [
    ...rules.map(({ code, name }) => [name, countOf(code)] as const),
    ...(unselected ? [[unselected.name, countOf(null) - rows] as const] : []),
  ];
  return Object.fromEntries(leftOut.filter(([, count]) => count > 0));
}

/** How many rows of a version have their status from Motus, and how many from the legacy registry. */
export async function countRowsBySource(
  client: Queryable,
  versionId: number,
): Promise<Record<string, number>> {
  // JSON escapes quotes inside a value, so this text can only be the member itself.
  const { rows } = await dynamic(
    client,
    `SELECT count(*)::int AS all, (count(*) FILTER (WHERE strpos(json, '"status_source":"motus"') > 0))::int AS motus
     FROM ${versionTable(versionId)}`,
  );
  const { motus, all } = rows[0] as { motus: number; all: number };
  return { motus, legacy: all - motus };
}
