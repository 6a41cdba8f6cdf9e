import type { Context } from "../platform/context.ts";
import { type FeedVersion, fromVersion } from "./feed-version.ts";
import { versionTable } from "./version-table.ts";

/** A page's records as one JSON array, never parsed on the way. */
export interface Page {
  json: string;
  rows: number;
  hasMore: boolean;
}

/** The rows of a page: of the listed positions, or of the whole version when `positions` is null. */
export async function readPage(
  context: Pick<Context, "db">,
  version: FeedVersion,
  positions: Int32Array | null,
  { page, pageSize }: { page: number; pageSize: number },
): Promise<Page> {
  const total = positions === null ? version.rowCount : positions.length;
  const start = (page - 1) * pageSize;
  const end = Math.min(start + pageSize, total);
  if (start >= end) return { json: "[]", rows: 0, hasMore: false };
  const rows =
    positions === null
      ? await rowsBetween(context, version, start, end)
      : await rowsAt(context, version, positions.subarray(start, end));
  if (rows.length !== end - start) {
    throw new Error(
      `Version ${version.id} gave ${rows.length} rows for the ${end - start} after row ${start}.`,
    );
  }
  return { json: `[${rows.join(",")}]`, rows: rows.length, hasMore: end < total };
}

const rowsBetween = (context: Pick<Context, "db">, version: FeedVersion, start: number, end: number) =>
  jsonOf(context, version, "pos > $1 AND pos <= $2", [start, end]);

const rowsAt = (context: Pick<Context, "db">, version: FeedVersion, positions: Int32Array) =>
  jsonOf(context, version, "pos = ANY ($1::int[])", [`{${positions.join(",")}}`]);

async function jsonOf(
  context: Pick<Context, "db">,
  version: FeedVersion,
  where: string,
  values: unknown[],
): Promise<string[]> {
  const text = `SELECT json FROM ${versionTable(version.id)} WHERE ${where} ORDER BY pos`;
  const { rows } = await fromVersion(version, () =>
    context.db.pool.query<string[]>({ text, values, rowMode: "array" }),
  );
  return rows.map(([json]) => json as string);
}
