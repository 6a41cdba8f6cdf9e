import * as sql from "../../generated/sql/webhooks/deliveries.ts";
import { dayOf, lastDays } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";

/** The deliveries of an endpoint that were queued on a day (UTC), without tests. */
export interface DeliveryDay {
  day: string;
  delivered: number;
  failed: number;
  /** How long the receiver took for half of its answers, and for 95 of 100, at most. Null when it gave none. */
  medianMs: number | null;
  p95Ms: number | null;
}

const DAYS = 14;
/** Of an endpoint with more deliveries, the newest are counted. */
export const MOST_COUNTED = 10_000;

/** The last 14 days up to today, the oldest first. Empty when no delivery of them has ended. */
export async function deliveryDays(
  { db, clock }: Context,
  accountId: number,
  endpointId: number,
): Promise<DeliveryDay[]> {
  const days = lastDays(dayOf(clock.now()), DAYS);
  const since = new Date(days[0] as string);
  const rows = await sql.deliveryDays(db.pool, { accountId, endpointId, since, most: MOST_COUNTED });
  if (!rows.some(({ delivered, failed }) => delivered + failed > 0)) return [];
  const byDay = new Map(rows.map((row) => [row.day, row]));
  return days.map((day) => byDay.get(day) ?? { day, delivered: 0, failed: 0, medianMs: null, p95Ms: null });
}
