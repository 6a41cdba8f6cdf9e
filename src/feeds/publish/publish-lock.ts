import type { Queryable } from "../../platform/database/statement.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import * as sql from "./statements.ts";

// The key of the advisory lock that every publisher takes. No other lock of this database uses the number.
const PUBLISH_LOCK = 73_100_001;

/** Takes the lock for this connection, until unlockPublishing. Returns false when another connection holds it. */
export async function tryLockPublishing(client: Queryable): Promise<boolean> {
  const { rows } = await sql.tryLock.run(client, { key: PUBLISH_LOCK });
  return rows[0]?.held ?? false;
}

export async function unlockPublishing(client: Queryable): Promise<void> {
  await sql.unlock.run(client, { key: PUBLISH_LOCK });
}

/** Takes the same lock until the transaction ends. OperatorError while an import is running. */
export async function lockPublishing(client: Queryable): Promise<void> {
  const { rows } = await sql.tryLockTransaction.run(client, { key: PUBLISH_LOCK });
  if (!rows[0]?.held) throw new OperatorError("An import is running; wait until it is done.");
}
