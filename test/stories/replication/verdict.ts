// What is left after the failover, compared with what the service confirmed and sent.
import { removalList } from "../../support/removals/opt-outs.ts";
import { until, untilIdle } from "../../support/webhooks/dispatching.ts";
import type { Answer, Load } from "./load.ts";
import type { ReplicatedServices } from "./services.ts";

/** What was confirmed during the run. */
interface Confirmed {
  events: readonly number[];
  removals: readonly string[];
}

/** What the loss of the primary may cost of the charges: three times wal_writer_delay, and the way to the standby. */
const CHARGES_AT_RISK_MS = 1_000;

/** Waits until every delivery has ended, and counts what was lost. */
export async function judgeLosses(
  { context, receiver }: ReplicatedServices,
  { followed }: Load,
  confirmed: Confirmed,
  firstEvent: number,
) {
  const { pool } = context.db;
  await untilIdle(context);
  // The receiver answers before the outcome is recorded.
  await until(async () => {
    const { rowCount } = await pool.query(
      "SELECT FROM webhook_delivery_state WHERE status = 'queued' LIMIT 1",
    );
    return rowCount === 0;
  });
  const { rows: events } = await pool.query<{ id: number; is_visible: boolean }>(
    `SELECT id, id IN (SELECT id FROM visible_event) AS is_visible FROM event WHERE id > $1 ORDER BY id`,
    [firstEvent],
  );
  const { rows: deliveries } = await pool.query<{ id: number; event_id: number; status: string }>(
    "SELECT id, event_id, status FROM webhook_delivery_state",
  );
  const stored = new Set(events.map(({ id }) => id));
  const received = new Set(receiver.received.map(({ headers }) => Number(headers["service-delivery-id"])));
  const queued = new Set(deliveries.map(({ event_id }) => event_id));
  const visible = events.filter(({ is_visible }) => is_visible).map(({ id }) => id);
  const { businesses } = await removalList(context);
  const removed = new Set(businesses.map(String));
  return {
    deliveries: deliveries.length,
    receivedAgain: receiver.received.length - received.size,
    lostEvents: confirmed.events.filter((id) => !stored.has(id)),
    lostRemovals: confirmed.removals.filter((usdot) => !removed.has(usdot)),
    // A delivery about a business that was removed meanwhile is cancelled.
    lostDeliveries: deliveries.filter(({ id, status }) => status !== "cancelled" && !received.has(id)),
    neverQueued: visible.filter((id) => !queued.has(id)),
    /** Events that a follower missed, and those that it saw in a wrong order. */
    missed: followed.map((seen) => visible.filter((id) => !seen.includes(id)).length),
    disordered: followed.map((seen) => seen.filter((id, at) => at > 0 && id <= (seen[at - 1] ?? 0)).length),
  };
}

/** Rows that were delivered and not charged, and those that the loss of the primary may cost. */
export async function judgeQuota(
  { context, accountId }: ReplicatedServices,
  { answers }: Load,
  lost: { fromMs: number; untilMs: number },
) {
  const { rows } = await context.db.pool.query<{ rows: number }>(
    "SELECT sum(api_rows)::int AS rows FROM usage_month WHERE account_id = $1",
    [accountId],
  );
  const sum = (some: readonly Answer[]) => some.reduce((total, answer) => total + answer.rows, 0);
  const delivered = sum(answers);
  const atRisk = sum(
    answers.filter(
      ({ finishedMs }) => finishedMs > lost.fromMs - CHARGES_AT_RISK_MS && finishedMs < lost.untilMs,
    ),
  );
  const charged = rows[0]?.rows ?? 0;
  return { delivered, charged, notCharged: delivered - charged, atRisk };
}

const isRefused = ({ status }: Answer): boolean => status !== null && status >= 500;

/** Tenths of a second of the period in which an answer was refused, as seconds. */
export function refusedSeconds(answers: readonly Answer[], fromMs: number, untilMs: number): number {
  const refused = answers.filter(
    (answer) => isRefused(answer) && answer.finishedMs >= fromMs && answer.finishedMs < untilMs,
  );
  return new Set(refused.map(({ finishedMs }) => Math.floor(finishedMs / 100))).size / 10;
}

export function countsOf(answers: readonly Answer[]): string {
  const counts = Map.groupBy(answers, ({ kind, status }) => `${kind} ${status ?? "broken"}`);
  return [...counts]
    .map(([name, all]) => `${name} ${all.length}`)
    .sort()
    .join(", ");
}
