import type pg from "pg";
import type { Context } from "../../platform/context.ts";
import { loadSql } from "../../platform/database/sql.ts";
import type { Attempt } from "./attempt.ts";
import { countLostDelivery } from "./lost-delivery.ts";
import { retryDueAt } from "./retry-schedule.ts";

const RECORD_SQL = loadSql(import.meta.url, "record.sql");

type Client = Pick<pg.ClientBase, "query"> | pg.Pool;

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
  client: Client,
  all: readonly Ended[],
  now: Date,
): Promise<number> {
  const attempts = all.map(({ attempt }) => attempt);
  const { rows } = await client.query<{ id: number; status: string }>({
    name: "webhook record",
    text: RECORD_SQL,
    values: [
      now,
      attempts.map(({ claimed }) => claimed.id),
      attempts.map(({ claimed }) => claimed.attempt),
      all.map(({ nextStatus }) => nextStatus),
      all.map(({ dueAt }) => dueAt),
      attempts.map(({ startedAt }) => startedAt),
      attempts.map(({ durationMs }) => durationMs),
      attempts.map(({ httpStatus }) => httpStatus),
      attempts.map(({ reason }) => reason),
      attempts.map(({ signature }) => signature),
    ],
  });
  for (const { status } of rows) metrics.deliveries.inc({ outcome: OUTCOMES[status] ?? status });
  metrics.deliveries.inc({ outcome: "overtaken" }, all.length - rows.length);
  return rows.length;
}

/** Names of outcomes that differ from the delivery's state: queued after an attempt means retried. */
const OUTCOMES: Readonly<Record<string, string>> = { queued: "retried" };
