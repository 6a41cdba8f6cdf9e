import { setTimeout as wait } from "node:timers/promises";
import * as sql from "../../generated/sql/platform/database.ts";
import type { Database } from "../context.ts";
import type { Queryable } from "./statement.ts";

/** Takes the advisory lock with this key until the session ends. False: another session holds it. */
export const trySessionLock = async (client: Queryable, key: number): Promise<boolean> =>
  (await sql.trySessionLock(client, { key })).isTaken;

/** Runs `work` while this session alone holds the advisory lock with this key; waits for another that holds it. */
export async function withSessionLock<T>(
  db: Pick<Database, "sessionPool">,
  key: number,
  work: () => Promise<T>,
): Promise<T> {
  const client = await db.sessionPool.connect();
  try {
    while (!(await trySessionLock(client, key))) await wait(WAIT_MS);
    return await work();
  } finally {
    // Ending the session gives the lock back, also when `work` failed because the database is away.
    client.release(true);
  }
}

const WAIT_MS = 100;
