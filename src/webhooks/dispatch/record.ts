import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import type { Attempt } from "./attempt.ts";
import { countLostDelivery } from "./lost-delivery.ts";
import { retryDueAt } from "./retry-schedule.ts";
import * as sql from "./statements.ts";

/** A finished attempt with the next state of its delivery. */
interface Ended {
  attempt: Attempt;
  nextStatus: "delivered" | "queued" | "failed";
  dueAt: Date | null;
}

/**
 * Records finished attempts in the order in which they ended. It is idempotent: an attempt that was recorded already, or
 * whose delivery has a newer attempt, changes nothing.
 */
export async function recordAttempts(
  context: Context,
  attempts: readonly Attempt[],
  now: Date,
): Promise<void> {
  for (const together of inRuns(attempts.map((attempt) => ended(context, attempt, now)))) {
    const [first] = together;
    if (first && countsForStreak(first)) {
      await context.db.transaction(async (client) => {
        const recorded = await write(context, client, together, now);
        if (recorded > 0) await countLostDelivery(client, first.attempt.claimed, now);
      });
    } else {
      await write(context, context.db.pool, together, now);
    }
  }
}

function ended({ config }: Context, attempt: Attempt, failedAt: Date): Ended {
  const { reason, claimed } = attempt;
  if (reason === null) return { attempt, nextStatus: "delivered", dueAt: null };
  // A test shows its result at once, without retries over a day.
  const schedule = claimed.isTest ? [] : config.webhookRetrySeconds;
  const dueAt = retryDueAt(schedule, { failuresBefore: claimed.failures, failedAt });
  return { attempt, nextStatus: dueAt === null ? "failed" : "queued", dueAt };
}

const countsForStreak = ({ nextStatus, attempt }: Ended): boolean =>
  nextStatus === "failed" && !attempt.claimed.isTest;

/** Batches: each failed delivery alone, as it may pause its endpoint, and the attempts between two of them together. */
function inRuns(all: readonly Ended[]): Ended[][] {
  const runs: Ended[][] = [];
  let open: Ended[] | null = null;
  for (const one of all) {
    if (countsForStreak(one)) {
      runs.push([one]);
      open = null;
    } else if (open === null) {
      open = [one];
      runs.push(open);
    } else open.push(one);
  }
  return runs;
}

async function write(
  { metrics }: Context,
  client: Queryable,
  all: readonly Ended[],
  now: Date,
): Promise<number> {
  const attempts = all.map(({ attempt }) => attempt);
  const { rows } = await sql.record.prepared(client, {
    now,
    deliveryIds: attempts.map(({ claimed }) => claimed.id),
    attempts: attempts.map(({ claimed }) => claimed.attempt),
    nextStatuses: all.map(({ nextStatus }) => nextStatus),
    dueAt: all.map(({ dueAt }) => dueAt),
    startedAt: attempts.map(({ startedAt }) => startedAt),
    durationsMs: attempts.map(({ durationMs }) => durationMs),
    httpStatuses: attempts.map(({ httpStatus }) => httpStatus),
    reasons: attempts.map(({ reason }) => reason),
    signatures: attempts.map(({ signature }) => signature),
  });
  for (const { status } of rows) metrics.deliveries.inc({ outcome: OUTCOMES[status] ?? status });
  metrics.deliveries.inc({ outcome: "overtaken" }, all.length - rows.length);
  return rows.length;
}

/** Names of outcomes that differ from the delivery's state: queued after an attempt means retried. */
const OUTCOMES: Readonly<Record<string, string>> = { queued: "retried" };
