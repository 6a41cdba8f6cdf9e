import * as sql from "../../generated/sql/feeds/publish.ts";
import { trySessionLock } from "../../platform/database/session-lock.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import { tryLock } from "../../platform/database/transaction.ts";
import { OperatorError } from "../../platform/operator-error.ts";

// The key of the advisory lock that every publisher takes. No other lock of this database uses the number.
const PUBLISH_LOCK = 73_100_001;

/** Takes the lock for this connection, until unlockPublishing. Returns false when another connection holds it. */
export async function tryLockPublishing(client: Queryable): Promise<boolean> {
  return trySessionLock(client, PUBLISH_LOCK);
}

export async function unlockPublishing(client: Queryable): Promise<void> {
  await sql.unlock(client, { key: PUBLISH_LOCK });
}

/** Takes the same lock until the transaction ends. Returns false when another connection holds it. */
export const tryLockPublishingShortly = (client: Queryable): Promise<boolean> =>
  tryLock(client, PUBLISH_LOCK);

/** The same. OperatorError while an import is running. */
export async function lockPublishing(client: Queryable): Promise<void> {
  if (!(await tryLockPublishingShortly(client)))
    throw new OperatorError("An import is running; wait until it is done.", { solution: "later" });
}
