import { DAY_MS } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import * as sql from "./statements.ts";

/** Outcomes of an endpoint's deliveries, of the newest 10,000. Counts are of the last seven days, and without tests. */
export interface EndpointHealth {
  endpointId: number;
  delivered: number;
  failed: number;
  failedTests: number;
  cancelled: number;
  /** Queued or in flight. */
  waiting: number;
  /** Queued or in flight, with at least one failed attempt. */
  retrying: number;
  lastDeliveredAt: string | null;
  /** When the receiver last answered 2xx, also to a test. */
  lastAcceptedAt: Date | null;
  /** When a delivery or a test last failed for good. */
  lastRefusedAt: Date | null;
}

const DAYS_MS = 7 * DAY_MS;
/** The newest deliveries are enough to judge an endpoint. */
const MOST_COUNTED = 10_000;

/** The health of each endpoint of the account. */
export async function endpointHealth(
  { db, clock }: Context,
  accountId: number,
): Promise<Map<number, EndpointHealth>> {
  const { rows } = await sql.endpointHealth.run(db.pool, {
    accountId,
    since: new Date(clock.now().getTime() - DAYS_MS),
    most: MOST_COUNTED,
  });
  return new Map(
    rows.map((row) => [
      row.endpointId,
      { ...row, lastDeliveredAt: row.lastDeliveredAt?.toISOString() ?? null },
    ]),
  );
}
