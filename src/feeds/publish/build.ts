import type pg from "pg";
import { STATE_CODES } from "../../registry/places/state-codes.ts";
import type { Column, Feed } from "../catalogue.ts";
import { ENTITY_TYPES, PHONE_TYPES, TIME_ZONES } from "../codes.ts";
import { versionTable } from "../versions/version-table.ts";

/** Typed columns of a version's table that filters, `since` and region scopes read; the same set in every feed. */
const FILTER_COLUMNS = {
  state: "text",
  power_units: "integer",
  authority_granted: "date",
  last_verified: "date",
  general_freight: "boolean",
  has_cell: "boolean",
  time_zone: "text",
  phone_type: "text",
  entity_type: "text",
} as const;

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
  const names = new Set(feed.columns.map((column) => column.name));
  const filterColumns = Object.entries(FILTER_COLUMNS).map(
    ([name, type]) => `${names.has(name) ? `record.${name}` : "NULL"}::${type} AS ${name}`,
  );
  const { rowCount } = await client.query(`
    CREATE TABLE ${table} AS
    WITH record AS (${derivation})
    SELECT
      (row_number() OVER feed_order)::integer AS pos,
      record.usdot,
      (SELECT row_to_json(shown)::text FROM (SELECT ${feed.columns.map(jsonCell).join(", ")}) AS shown) AS json,
      ${feed.columns.map(csvCell).join(" || ',' || ")} AS csv,
      ${filterColumns.join(",\n      ")}
    FROM record
    WINDOW feed_order AS (
      ORDER BY record.authority_granted DESC NULLS LAST, record.usdot, record.authority_class, record.docket)
    ORDER BY pos`);
  await client.query(`ALTER TABLE ${table} ADD PRIMARY KEY (pos)`);
  await client.query(`CREATE INDEX ON ${table} (usdot)`);
  await client.query(`ANALYZE ${table}`);
  await packColumns(client, versionId);
  return rowCount ?? 0;
}

const jsonCell = ({ name, kind }: Column): string => (kind === "list" ? sorted(name) : `record.${name}`);

/** SQL: a list without repeats, always in the same order. */
const sorted = (name: string): string =>
  `(SELECT array_agg(DISTINCT value ORDER BY value DESC) FROM unnest(record.${name}) AS listed (value)) AS ${name}`;

/** A regular expression that matches every text in which csv_text may change something. */
const NOT_PLAIN = String.raw`[\x01-\x1f\x7f\u2028\u2029",]|^\s|\s$|^[-=+@＝＋－＠;|%\u2212]`;

/** SQL: a column's CSV cell. Nearly every text is plain; testing for that takes a fiftieth of csv_text's time. */
export function csvCell({ name, kind }: Pick<Column, "name" | "kind">): string {
  if (kind === "list") {
    return `coalesce((SELECT string_agg(DISTINCT value, ';' ORDER BY value DESC)
      FROM unnest(record.${name}) AS listed (value)), '')`;
  }
  const text = `record.${name}::text`;
  const plain = `coalesce(${text}, '')`;
  return kind === "text"
    ? `CASE WHEN ${text} ~ '${NOT_PLAIN}' THEN csv_text(${text}) ELSE ${plain} END`
    : plain;
}

/**
 * Packs the filter columns of a version's table that are not packed yet. A query loads a column as one value instead of
 * as many rows as the feed has: some twenty times faster.
 */
export async function packColumns(client: pg.ClientBase, versionId: number): Promise<void> {
  const packed = (value: string) =>
    `string_agg(int4send(coalesce(${value}, (-2147483648)::integer)), ''::bytea ORDER BY pos)`;
  const code = (column: string, place: number) => packed(`array_position($${place}::text[], ${column}) - 1`);
  await client.query(
    `INSERT INTO feed_version_column (version_id, name, packed)
     SELECT $1, packed.* FROM (
       SELECT
         ${code("state", 2)} AS state,
         ${code("time_zone", 3)} AS time_zone,
         ${code("phone_type", 4)} AS phone_type,
         ${code("entity_type", 5)} AS entity_type,
         ${packed("power_units")} AS power_units,
         ${packed("authority_granted - DATE '1970-01-01'")} AS authority_granted,
         ${packed("last_verified - DATE '1970-01-01'")} AS last_verified,
         ${packed("general_freight::integer")} AS general_freight,
         ${packed("has_cell::integer")} AS has_cell
       FROM ${versionTable(versionId)}
     ) AS whole CROSS JOIN LATERAL (
       VALUES ('state', state), ('time_zone', time_zone), ('phone_type', phone_type), ('entity_type', entity_type),
         ('power_units', power_units), ('authority_granted', authority_granted), ('last_verified', last_verified),
         ('general_freight', general_freight), ('has_cell', has_cell)
     ) AS packed (name, packed)
     WHERE packed.packed IS NOT NULL
     ON CONFLICT (version_id, name) DO NOTHING`,
    [versionId, STATE_CODES, TIME_ZONES, PHONE_TYPES, ENTITY_TYPES],
  );
}
