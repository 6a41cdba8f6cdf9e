import { randomBytes } from "node:crypto";
import path from "node:path";
import pg from "pg";
import { migrate } from "../../../src/platform/database/migrate.ts";
import { createLog } from "../../../src/platform/log.ts";
import { type Bench, sharedIn } from "./bench.ts";

const MIGRATIONS = path.join(import.meta.dirname, "../../../prisma/migrations");
const PREFIX = "tdf_bench_";

/** An empty, migrated database; dropped when the run ends. */
export const newDatabase = async (bench: Bench): Promise<string> => copyOf(bench, await migrated(bench));

/** A database with nothing in it, for another program. */
export const emptyDatabase = (bench: Bench): Promise<string> => create(bench, "");

/** A copy of a database of this run, to which nobody may be connected. */
export async function copyOf(bench: Bench, databaseUrl: string): Promise<string> {
  return create(bench, `TEMPLATE ${nameOf(databaseUrl)} STRATEGY file_copy`);
}

/** Drops a database before the run ends. */
export const dropDatabase = (bench: Bench, databaseUrl: string): Promise<void> =>
  administer(bench, `DROP DATABASE IF EXISTS ${nameOf(databaseUrl)} WITH (FORCE)`);

/** Drops databases of killed runs; a database that is in use stays. */
export async function dropLeftovers(bench: Bench): Promise<void> {
  const found = await queryOnce<{ name: string }>(
    bench.server.url,
    `SELECT datname AS name FROM pg_database WHERE datname LIKE '${PREFIX}%'`,
  );
  for (const { name } of found) await administer(bench, `DROP DATABASE IF EXISTS ${name}`).catch(() => {});
}

/** Runs one statement in its own connection. */
export async function queryOnce<Row extends pg.QueryResultRow>(
  databaseUrl: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

const migrated = sharedIn(async (bench) => {
  const url = await create(bench, "");
  await migrate(url, { folder: MIGRATIONS, log: createLog("warn") });
  return url;
});

async function create(bench: Bench, options: string): Promise<string> {
  const url = new URL(bench.server.url);
  url.pathname = `/${PREFIX}${randomBytes(6).toString("hex")}`;
  await administer(bench, `CREATE DATABASE ${nameOf(url.href)} ${options}`);
  bench.ending.defer(() => dropDatabase(bench, url.href));
  return url.href;
}

const nameOf = (databaseUrl: string): string => new URL(databaseUrl).pathname.slice(1);

const administer = async (bench: Bench, statement: string): Promise<void> => {
  await queryOnce(bench.server.url, statement);
};
