import pg from "pg";
import { connectionTo } from "./pool.ts";

const CONNECT_TIMEOUT_MS = 3_000;
/** duplicate_database, or unique_violation in the catalogue. */
const DUPLICATES = ["42P04", "23505"];

/** Creates a database on the server of an address, unless it is there. Several processes may call it at once. */
export async function createDatabaseIfMissing(serverUrl: string, name: string): Promise<void> {
  const client = new pg.Client({
    ...connectionTo(serverUrl),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  client.on("error", () => {});
  await client.connect();
  try {
    await createIfMissing(client, name);
  } finally {
    await client.end();
  }
}

/** The same on a connection to the server. */
export async function createIfMissing(client: pg.Client, name: string): Promise<void> {
  const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = $1", [name]);
  if (rowCount) return;
  await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`).catch((error: pg.DatabaseError) => {
    // Another process was first.
    if (!DUPLICATES.includes(error.code ?? "")) throw error;
  });
}
