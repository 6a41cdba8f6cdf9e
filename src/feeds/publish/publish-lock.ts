import type pg from "pg";
import { OperatorError } from "../../platform/operator-error.ts";

// The key of the advisory lock that every publisher takes. No other lock of this database uses the number.
const PUBLISH_LOCK = 73_100_001;

/** Takes the lock for this connection, until unlockPublishing. Returns false when another connection holds it. */
export async function tryLockPublishing(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>("SELECT pg_try_advisory_lock($1) AS held", [
    PUBLISH_LOCK,
  ]);
  return rows[0]?.held ?? false;
}

export async function unlockPublishing(client: pg.ClientBase): Promise<void> {
  await client.query("SELECT pg_advisory_unlock($1)", [PUBLISH_LOCK]);
}

/** Takes the same lock until the transaction ends. OperatorError while an import is running. */
export async function lockPublishing(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ held: boolean }>("SELECT pg_try_advisory_xact_lock($1) AS held", [
    PUBLISH_LOCK,
  ]);
  if (!rows[0]?.held) throw new OperatorError("An import is running; wait until it is done.");
}
