import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import type { Attempt } from "./attempt.ts";
import { countLostDelivery } from "./lost-delivery.ts";
import { retryDueAt } from "./retry-schedule.ts";
import * as sql from "./statements.ts";

/** An attempt with what becomes of its delivery. */
interface Ended {
  attempt: Attempt;
  nextStatus: "delivered" | "queued" | "failed";
  dueAt: Date | null;
}

/**
 * Records attempts that are over, in the order in which they ended. What was recorded already, or is another attempt's
 * by now, is left as it is; so all may be recorded again after an error.
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
  // Whoever asked for a test wants to know how it went, not to be told a day later.
  const schedule = claimed.isTest ? [] : config.webhookRetrySeconds;
  const dueAt = retryDueAt(schedule, { failuresBefore: claimed.failures, failedAt });
  return { attempt, nextStatus: dueAt === null ? "failed" : "queued", dueAt };
}

const countsForStreak = ({ nextStatus, attempt }: Ended): boolean =>
  nextStatus === "failed" && !attempt.claimed.isTest;

/** Each failed delivery by itself, as it may pause its endpoint; what ended between two of them in one statement. */
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

/** A delivery that is queued after an attempt is one that will be retried. */
const OUTCOMES: Readonly<Record<string, string>> = { queued: "retried" };
