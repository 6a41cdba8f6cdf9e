import { DAY_MS } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import * as sql from "./statements.ts";

/** Outcomes of an endpoint's deliveries in the last seven days, of the newest 10,000. */
export interface EndpointHealth {
  endpointId: number;
  delivered: number;
  failed: number;
  cancelled: number;
  /** Queued or in flight. */
  waiting: number;
  /** Queued or in flight, with at least one failed attempt. */
  retrying: number;
  lastDeliveredAt: string | null;
}

const DAYS_MS = 7 * DAY_MS;
/** The newest deliveries are enough to judge an endpoint. */
const MOST_COUNTED = 10_000;

/** The health of each endpoint of the account. Test deliveries do not count. */
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
