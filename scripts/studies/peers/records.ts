import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";
import type { Column } from "../../../src/feeds/catalogue.ts";
import { versionTable } from "../../../src/feeds/versions/feed-version.ts";
import type { Bench } from "../../bench/frame/bench.ts";
import { emptyDatabase, queryOnce } from "../../bench/frame/databases.ts";
import { largeFeed, type Version } from "../../bench/setup/large-version.ts";

/** Directus and Prisma have no lists in a column, but JSON. */
const TYPES: Record<Column["kind"], string> = {
  text: "text",
  integer: "integer",
  boolean: "boolean",
  date: "date",
  list: "jsonb",
};

/**
 * A new database with the records of a version as an ordinary table: a column for each of the feed's, `pos` as its key,
 * and an index for the filter.
 */
export async function recordsDatabase(bench: Bench, databaseUrl: string, version: Version): Promise<string> {
  const columns = largeFeed.columns.map(({ name, kind }) => `${name} ${TYPES[kind]}`);
  const target = await emptyDatabase(bench);
  await queryOnce(target, `CREATE TABLE records (pos integer NOT NULL, ${columns.join(", ")})`);
  await copyRows(databaseUrl, target, version, columns);
  await queryOnce(target, "ALTER TABLE records ADD PRIMARY KEY (pos)");
  await queryOnce(target, "CREATE INDEX ON records (state, pos)");
  await queryOnce(target, "VACUUM ANALYZE records");
  return target;
}

async function copyRows(source: string, target: string, version: Version, columns: string[]): Promise<void> {
  const [from, to] = [source, target].map((connectionString) => new pg.Client({ connectionString })) as [
    pg.Client,
    pg.Client,
  ];
  await Promise.all([from.connect(), to.connect()]);
  try {
    const select = `SELECT pos, shown.* FROM ${versionTable(version.id)}
      CROSS JOIN LATERAL jsonb_to_record(json::jsonb) AS shown (${columns.join(", ")}) ORDER BY pos`;
    await pipeline(
      from.query(copyTo(`COPY (${select}) TO STDOUT`)),
      to.query(copyFrom("COPY records FROM STDIN")),
    );
  } finally {
    await Promise.all([from.end(), to.end()]);
  }
}
