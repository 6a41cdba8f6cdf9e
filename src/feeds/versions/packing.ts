import type pg from "pg";
import * as sql from "../../generated/sql/feeds/versions.ts";
import type { Context } from "../../platform/context.ts";
import { perDatabase } from "../../platform/database/per-database.ts";
import { dynamic } from "../../platform/database/statement.ts";
import { type FeedVersion, type PublishedVersion, versionTable } from "./feed-version.ts";
import { type PackedColumn, packedColumns } from "./packed-columns.ts";

/** A filter column of a version is not packed, or not for all of its rows. */
export class UnpackedColumnError extends Error {
  override readonly name = "UnpackedColumnError";
  readonly column: string;

  constructor(version: PublishedVersion, column: string) {
    super(`Version ${version.id} of ${version.feed.code} has no packed column ${column}.`);
    this.column = column;
  }
}

const repacking = perDatabase(() => new Map<number, Promise<void>>());

/** Packs a version's missing filter columns from its table, in the background and once at a time. Logs a failure. */
export function repackVersion(context: Context, version: FeedVersion): void {
  const running = repacking(context.db);
  if (running.has(version.id)) return;
  const work = repack(context, version)
    .then(
      () => context.log.warn(fieldsOf(version), "The filter columns of a feed version were packed again."),
      (err) =>
        context.log.error(
          { ...fieldsOf(version), err },
          "The filter columns of a feed version could not be packed again.",
        ),
    )
    .finally(() => running.delete(version.id));
  running.set(version.id, work);
}

const fieldsOf = ({ id, feed }: PublishedVersion) => ({ version: id, feed: feed.code });

const repack = ({ db }: Context, { id, rowCount, feed, columns }: FeedVersion): Promise<void> =>
  db.bulkTransaction(async (client) => {
    // Processes take turns, and nobody removes the version meanwhile.
    const found = await sql.lockVersion(client, { id });
    if (found === 0) return;
    await sql.deleteUnpacked(client, { id, size: 4 * rowCount });
    const shown = [...packedColumns(feed).values()].filter(({ name }) => !columns.missing.includes(name));
    const stored = await tableColumns(client, id);
    // Another release may have published the version with a table that lacks the column of a new filter.
    const cell = (column: PackedColumn) =>
      stored.has(column.name) ? column.name : tableCell(column, shownCell(column));
    await packColumns(client, id, shown, cell);
  });

/** SQL: a column's value in a row's JSON; null where the row does not have it. */
const shownCell = ({ name, form }: PackedColumn): string =>
  form === "bits"
    ? `ARRAY(SELECT json_array_elements_text(CASE json_typeof(json::json -> '${name}') WHEN 'array' THEN json::json -> '${name}' END))`
    : `json::json ->> '${name}'`;

/** The names of the columns of a version's table, which another release may have made. */
export async function tableColumns(client: pg.ClientBase, versionId: number): Promise<ReadonlySet<string>> {
  const rows = await sql.tableColumns(client, { table: versionTable(versionId) });
  return new Set(rows.map(({ name }) => name));
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
