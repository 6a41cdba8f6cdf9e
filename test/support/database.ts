import { randomBytes } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import pg from "pg";

export interface TestDatabase {
  url: string;
  /** Drops the database and ends the connections that are still open. */
  drop(): Promise<void>;
}

/** A new database with all migrations applied, or an empty one. Each test file has its own. */
export const createTestDatabase = ({ isEmpty = false } = {}): Promise<TestDatabase> =>
  createFrom(isEmpty ? "template1" : null);

/** A copy of a database that nobody is connected to. */
export const copyTestDatabase = ({ url }: Pick<TestDatabase, "url">): Promise<TestDatabase> =>
  createFrom(databaseName(url));

async function createFrom(source: string | null): Promise<TestDatabase> {
  // Processes that tests start load this file too, and need no Vitest, which takes long to load.
  const { inject } = await import("vitest");
  const serverUrl = inject("serverUrl");
  const name = `tdf_test_${randomBytes(6).toString("hex")}`;
  const template = source ?? inject("templateName");
  await keptConnections(serverUrl).query(copyStatement(name, template));
  return {
    url: databaseUrl(serverUrl, name),
    drop: () => dropDatabase(serverUrl, name),
  };
}

/** Drops a database, with that of its test mode if it has one. */
export async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  for (const each of [`${name}_test`, name])
    await keptConnections(serverUrl).query(`DROP DATABASE IF EXISTS ${each} WITH (FORCE)`);
}

const kept = new Map<string, pg.Pool>();

/** A process makes and drops many databases, by connections that it keeps to its end. */
function keptConnections(serverUrl: string): pg.Pool {
  const known = kept.get(serverUrl);
  if (known) return known;
  const pool = new pg.Pool({
    connectionString: serverUrl,
    max: 2,
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
  });
  // The server may stop before the process ends. A connection that was lost is opened again.
  pool.on("error", () => {});
  kept.set(serverUrl, pool);
  return pool;
}

/** Makes a database from another one. Copying files takes a third of the time of copying pages through the log. */
export const copyStatement = (name: string, template: string): string =>
  `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`;

/**
 * Waits until so many statements on the database wait for a lock that another session holds, of a table if one is named. The
 * pool must have a free connection.
 */
export async function untilLockWait(
  pool: pg.Pool,
  table: string | null = null,
  statements = 1,
): Promise<void> {
  const waiting = `SELECT FROM pg_stat_activity JOIN pg_locks USING (pid)
    WHERE wait_event_type = 'Lock' AND NOT granted AND datname = current_database()
      AND ($1::regclass IS NULL OR relation = $1::regclass)`;
  while (((await pool.query(waiting, [table])).rowCount ?? 0) < statements) await setImmediate();
}

/** Runs one statement on the server, outside of any transaction. */
export const administer = (serverUrl: string, statement: string): Promise<void> =>
  onServer(serverUrl, async (client) => void (await client.query(statement)));

/** Runs something with a connection of its own to the server. */
export async function onServer<T>(serverUrl: string, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}

/** The name of the database at an address. */
export const databaseName = (url: string): string => new URL(url).pathname.slice(1);

/** The address of another database on the same server. */
export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** The address of the same database by a port of this machine, where a proxy stands before it: not by its server's socket. */
export function databaseAtPort(url: string, port: number): string {
  const address = new URL(url);
  address.host = `127.0.0.1:${port}`;
  address.searchParams.delete("host");
  return address.href;
}
