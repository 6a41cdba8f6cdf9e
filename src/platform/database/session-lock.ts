import { setTimeout as wait } from "node:timers/promises";
import * as sql from "../../generated/sql/platform/database.ts";
import type { Database } from "../context.ts";

/** Runs `work` while this session alone holds the advisory lock with this key; waits for another that holds it. */
export async function withSessionLock<T>(
  db: Pick<Database, "sessionPool">,
  key: number,
  work: () => Promise<T>,
): Promise<T> {
  const client = await db.sessionPool.connect();
  try {
    while (!(await sql.trySessionLock(client, { key })).isTaken) await wait(WAIT_MS);
    return await work();
  } finally {
    // Ending the session gives the lock back, also when `work` failed because the database is away.
    client.release(true);
  }
}

const WAIT_MS = 100;
