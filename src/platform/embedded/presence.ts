import pg from "pg";
import { createIfMissing } from "../database/create-database.ts";
import { connectionTo } from "../database/pool.ts";
import type { Log } from "../log.ts";
import { OperatorError } from "../operator-error.ts";
import { type Cluster, EMBEDDED_NAME } from "./cluster.ts";
import { NotYetError } from "./launch.ts";
import { type Postmaster, stopPostmaster } from "./postmaster.ts";

/**
 * Each process that uses the server holds this advisory lock, shared, on its own connection. The last process to leave
 * stops the server. The server releases the lock of a killed process.
 */
const PRESENCE_LOCK = 7_270_702;

/** The address of a database of the cluster: by the server's socket if it has one, else by its port. */
export function urlOf({ password }: Cluster, { port, socketFolder }: Postmaster, database: string): string {
  const url = new URL(`postgresql://${EMBEDDED_NAME}:${password}@127.0.0.1:${port}/${database}`);
  if (socketFolder !== "") url.searchParams.set("host", socketFolder);
  return url.href;
}

/** Registers this process at the server and creates the database if it is missing. NotYetError: the server is stopping. */
export async function enter(cluster: Cluster, postmaster: Postmaster): Promise<pg.Client> {
  // Not in our database: a connection would prevent that it is dropped or copied.
  const client = new pg.Client({
    ...connectionTo(urlOf(cluster, postmaster, "postgres")),
    connectionTimeoutMillis: 5_000,
  });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("SET lock_timeout = '5s'");
    await client.query("SELECT pg_advisory_lock_shared($1)", [PRESENCE_LOCK]);
    await createIfMissing(client, EMBEDDED_NAME);
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    const reason = (error as Error).message;
    if ((error as pg.DatabaseError).code?.startsWith("28")) {
      throw new OperatorError(
        `The embedded PostgreSQL refuses the password in ${cluster.folder}/password: ${reason}`,
      );
    }
    throw new NotYetError(`The embedded PostgreSQL does not answer: ${reason}`, { cause: error });
  }
}

/** Unregisters this process. Stops the server when no other process uses it. */
export async function leave(
  client: pg.Client,
  cluster: Cluster,
  { pid }: Postmaster,
  log: Log,
): Promise<void> {
  try {
    await client.query("SELECT pg_advisory_unlock_shared($1)", [PRESENCE_LOCK]);
    const { rows } = await client.query<{ isLast: boolean }>('SELECT pg_try_advisory_lock($1) AS "isLast"', [
      PRESENCE_LOCK,
    ]);
    if (rows[0]?.isLast) await stopPostmaster(cluster.dataFolder, pid);
    else log.info("Left the embedded PostgreSQL running: another process uses it.");
  } catch (error) {
    log.warn({ err: error }, "The embedded PostgreSQL had ended before it could be stopped.");
  } finally {
    await client.end().catch(() => {});
  }
}
