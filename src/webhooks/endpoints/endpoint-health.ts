import * as sql from "../../generated/sql/webhooks/endpoints.ts";
import { DAY_MS } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";

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

/** The health of each endpoint of the account by its id, or only of one. */
export async function endpointHealth(
  { db, clock }: Context,
  accountId: number,
  endpointId: number | null = null,
): Promise<Map<number, EndpointHealth>> {
  const since = new Date(clock.now().getTime() - DAYS_MS);
  const rows = await sql.endpointHealth(db.pool, { accountId, endpointId, since, most: MOST_COUNTED });
  return new Map(
    rows.map((row) => [
      row.endpointId,
      { ...row, lastDeliveredAt: row.lastDeliveredAt?.toISOString() ?? null },
    ]),
  );
}
