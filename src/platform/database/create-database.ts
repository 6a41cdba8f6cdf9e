import pg from "pg";
import { OperatorError } from "../operator-error.ts";
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

/** Refuses a database whose tables are another program's: ours would stand among them. OperatorError. */
export async function requireNoTables(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
       AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
     ORDER BY relname LIMIT 1`,
  );
  const [first] = rows;
  if (first === undefined) return;
  throw new OperatorError(
    `The database ${client.database} holds tables of another program, such as "${first.name}". Name an empty database; nothing was changed.`,
  );
}
