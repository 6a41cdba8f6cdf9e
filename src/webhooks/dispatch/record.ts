import * as sql from "../../generated/sql/webhooks/dispatch.ts";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import type { SendResult } from "../egress/sender.ts";
import { countLostDelivery } from "../endpoints/failure-streak.ts";
import type { CancelReason } from "../queue/cancel-queued.ts";
import type { Queued } from "./queued.ts";
import { retryDueAt } from "./retry-schedule.ts";

/** A finished attempt. */
export interface Attempt extends SendResult {
  startedAt: Date;
  /** The endpoint's address when it started. */
  url: string;
  /** The Service-Signature header that was sent. */
  signature: string;
}

/** A delivery whose attempt has ended, or that was cancelled instead of sent. */
export interface Ended {
  queued: Queued;
  /** Null when it was cancelled. */
  attempt: Attempt | null;
  cancelReason: CancelReason | null;
  endedAt: Date;
}

/** The values of `outcome`. `retried`: the attempt failed, and another follows. */
export const OUTCOMES = ["delivered", "retried", "failed", "cancelled"] as const;

/** An ended delivery with its outcome. */
interface Result extends Ended {
  outcome: (typeof OUTCOMES)[number];
  /** Of a retried one: when the next attempt is due, and how many have failed before it. */
  dueAt: Date | null;
  failures: number;
}

/**
 * Records ended deliveries in the order in which they ended. It is idempotent: what is recorded already changes nothing.
 * Returns false and records nothing when the dispatcher is not registered any more.
 */
export async function recordEnded(
  context: Context,
  dispatcherId: number,
  all: readonly Ended[],
): Promise<boolean> {
  const simple = all.filter(isSimple);
  const others = all.filter((ended) => !isSimple(ended));
  let isRegistered = true;
  if (simple.length > 0) isRegistered = await recordDelivered(context, dispatcherId, simple);
  if (others.length > 0 && isRegistered) isRegistered = await recordOthers(context, dispatcherId, others);
  if (!isRegistered) context.metrics.deliveries.inc({ outcome: "overtaken" }, all.length);
  return isRegistered;
}

/** Accepted at the first attempt, signed once, by an endpoint without failures: nothing but the result is to be written. */
const isSimple = ({ queued, attempt }: Ended): boolean =>
  attempt?.reason === null &&
  !queued.isRetry &&
  !queued.endpoint.hasStreak &&
  digestsOf(attempt).length === DIGEST_DIGITS;

async function recordDelivered(
  { db, metrics }: Context,
  dispatcherId: number,
  all: readonly Ended[],
): Promise<boolean> {
  const attempts = all.map(({ attempt }) => attempt as Attempt);
  const { isRegistered } = await sql.recordDelivered(db.pool, {
    dispatcherId,
    deliveryIds: all.map(({ queued }) => queued.id),
    endpointIds: all.map(({ queued }) => queued.endpoint.id),
    startedMs: attempts.map(({ startedAt }) => startedAt.getTime()),
    endedMs: all.map(({ endedAt }) => endedAt.getTime()),
    durationsMs: attempts.map(({ durationMs }) => durationMs),
    httpStatuses: attempts.map(({ httpStatus }) => httpStatus as number),
    signatures: Buffer.from(attempts.map(digestsOf).join(""), "hex"),
  });
  if (isRegistered) metrics.deliveries.inc({ outcome: "delivered" }, all.length);
  return isRegistered;
}

const DIGEST_DIGITS = 64;
/** The digests in a signature, one after the other: the time before them is that of the attempt. */
const digestsOf = ({ signature }: Attempt): string =>
  signature.slice(signature.indexOf(",v1=") + 4).replace(",v1=", "");

/** Records anything in one transaction, with retries, streaks of failures, and pauses of endpoints that keep failing. */
async function recordOthers(context: Context, dispatcherId: number, all: readonly Ended[]): Promise<boolean> {
  const accepting = new Set<Queued["endpoint"]>();
  const results = await context.db.transaction(async (client) => {
    const rowCount = await sql.holdRegistration(client, { dispatcherId });
    if (rowCount === 0) return null;
    // A pause blocks on these locks, and then cancels the retries that are queued here.
    const endpointIds = [...new Set(all.map(({ queued }) => queued.endpoint.id))];
    const rows = await sql.lockEndpoints(client, { endpointIds });
    const locked = new Map(rows.map((row) => [row.id, row]));
    const waiting = await sql.waitingOf(client, { deliveryIds: all.map(({ queued }) => queued.id) });
    const again = new Map(waiting.map((row) => [row.deliveryId, row]));
    const ended = all.map((one) =>
      resultOf(context, one, {
        isActive: locked.get(one.queued.endpoint.id)?.isActive === true,
        again: again.get(one.queued.id),
      }),
    );
    const recorded = await insert(client, ended);
    await writeRetries(client, recorded);
    // What was sent to a former address tells nothing of the present one.
    const present = recorded.filter(
      ({ queued, attempt }) => attempt?.url === locked.get(queued.endpoint.id)?.url,
    );
    await writeStreaks(client, present, accepting);
    return recorded;
  });
  if (results === null) return false;
  for (const endpoint of accepting) endpoint.hasStreak = false;
  for (const { outcome, cancelReason } of results) {
    context.metrics.deliveries.inc({
      outcome: outcome === "cancelled" ? `cancelled_${cancelReason}` : outcome,
    });
  }
  return true;
}

function resultOf(
  { config }: Context,
  { queued, attempt, cancelReason, endedAt }: Ended,
  { isActive, again }: { isActive: boolean; again: sql.WaitingOfRow | undefined },
): Result {
  const ended = { queued, attempt, cancelReason, endedAt, dueAt: null, failures: queued.failures + 1 };
  if (attempt === null) return { ...ended, outcome: "cancelled" };
  if (attempt.reason === null) return { ...ended, outcome: "delivered" };
  // A resend or replay came while it was in flight: its retry schedule begins anew, after this failure.
  const isAskedAgain = again !== undefined && (!queued.isRetry || again.failures < queued.failures);
  if (isActive && isAskedAgain) return { ...ended, ...again, outcome: "retried" };
  // A test shows its result at once, without retries over a day.
  const schedule = queued.isTest ? [] : config.webhookRetrySeconds;
  const { retryAfter } = attempt;
  const dueAt = retryDueAt(schedule, { failuresBefore: queued.failures, failedAt: endedAt, retryAfter });
  if (dueAt === null) return { ...ended, outcome: "failed" };
  // An attempt that was in flight when its endpoint was paused is not retried.
  if (!isActive) return { ...ended, outcome: "cancelled", cancelReason: "paused" };
  return { ...ended, outcome: "retried", dueAt };
}

/** Inserts results; gives those that were not recorded before. */
async function insert(client: Queryable, all: readonly Result[]): Promise<Result[]> {
  const rows = await sql.recordResults(client, {
    deliveryIds: all.map(({ queued }) => queued.id),
    endpointIds: all.map(({ queued }) => queued.endpoint.id),
    attempts: all.map(({ queued, attempt }) => attempt && queued.attempt),
    startedAt: all.map(({ attempt }) => attempt?.startedAt ?? null),
    durationsMs: all.map(({ attempt }) => attempt?.durationMs ?? null),
    httpStatuses: all.map(({ attempt }) => attempt?.httpStatus ?? null),
    reasons: all.map(({ attempt }) => attempt?.reason ?? null),
    signatures: all.map(({ attempt }) => attempt && digestsOf(attempt)),
    outcomes: all.map(({ outcome }) => outcome),
    cancelReasons: all.map(({ cancelReason }) => cancelReason),
    endedAt: all.map(({ endedAt }) => endedAt),
  });
  const recorded = new Set(rows.map(({ deliveryId }) => deliveryId));
  return all.filter(({ queued }) => recorded.has(queued.id));
}

async function writeRetries(client: Queryable, recorded: readonly Result[]): Promise<void> {
  const ended = recorded.filter(({ outcome, queued }) => outcome !== "retried" && queued.isRetry);
  if (ended.length > 0) await sql.endRetries(client, { deliveryIds: ended.map(({ queued }) => queued.id) });
  const again = recorded.filter(({ outcome }) => outcome === "retried");
  if (again.length === 0) return;
  await sql.queueRetries(client, {
    deliveryIds: again.map(({ queued }) => queued.id),
    endpointIds: again.map(({ queued }) => queued.endpoint.id),
    accountIds: again.map(({ queued }) => queued.endpoint.account.id),
    dueAt: again.map(({ dueAt }) => dueAt as Date),
    attempts: again.map(({ queued }) => queued.attempt + 1),
    failures: again.map(({ failures }) => failures),
  });
}

/**
 * Counts failed deliveries against their endpoints, in the order in which they ended; an accepted one resets the count, and
 * its endpoint is in `accepting` then.
 */
async function writeStreaks(
  client: Queryable,
  recorded: readonly Result[],
  accepting: Set<Queued["endpoint"]>,
): Promise<void> {
  for (const { outcome, queued, endedAt } of recorded) {
    const { endpoint, isTest } = queued;
    if (isTest) continue;
    if (outcome === "failed") {
      // Before the commit, whose outcome may stay unknown: then it is not counted again.
      endpoint.hasStreak = true;
      accepting.delete(endpoint);
      await countLostDelivery(client, endpoint.id, endedAt);
    } else if (outcome === "delivered" && endpoint.hasStreak && !accepting.has(endpoint)) {
      await sql.resetStreak(client, { endpointId: endpoint.id });
      accepting.add(endpoint);
    }
  }
}
