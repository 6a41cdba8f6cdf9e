import type pg from "pg";
import type { Context } from "../../platform/context.ts";
import { perDatabase } from "../../platform/database/per-database.ts";
import { packColumns, tableCell } from "../publish/build.ts";
import type { FeedVersion, PublishedVersion } from "./feed-version.ts";
import { type PackedColumn, packedColumns } from "./packed-columns.ts";
import * as sql from "./statements.ts";
import { versionTable } from "./version-table.ts";

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
    const { rowCount: found } = await sql.lockVersion.run(client, { id });
    if (found === 0) return;
    await sql.deleteUnpacked.run(client, { id, size: 4 * rowCount });
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
  const { rows } = await sql.tableColumns.run(client, { table: versionTable(versionId) });
  return new Set(rows.map(({ name }) => name));
}
