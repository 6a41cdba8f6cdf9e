import type { Caller } from "../accounts/caller.ts";
import type { Context } from "../platform/context.ts";
import { perDatabase } from "../platform/per-database.ts";
import { ProblemError } from "../platform/problem.ts";

const EXPORTS_PER_KEY = 2;
const RETRY_AFTER_SECONDS = 10;

/** How many exports each key of an account, or its dashboard, has running in this process. */
const runningOf = perDatabase(() => new Map<string, number>());

/** Counts an export of the key; gives the function that ends it. ProblemError rate_limited when too many are running. */
export function takeExportSlot(context: Pick<Context, "db">, caller: Caller): () => void {
  const runningByKey = runningOf(context.db);
  const key = `${caller.accountId} ${caller.keyId}`;
  const running = runningByKey.get(key) ?? 0;
  if (running >= EXPORTS_PER_KEY) {
    throw new ProblemError(
      "rate_limited",
      `This key has ${running} exports running. Allowed are ${EXPORTS_PER_KEY} at a time.`,
      { retryAfterSeconds: RETRY_AFTER_SECONDS },
    );
  }
  runningByKey.set(key, running + 1);
  let isLeft = false;
  return () => {
    if (isLeft) return;
    isLeft = true;
    const left = (runningByKey.get(key) ?? 1) - 1;
    if (left === 0) runningByKey.delete(key);
    else runningByKey.set(key, left);
  };
}
