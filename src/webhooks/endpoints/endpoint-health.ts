import type { Context } from "../../platform/context.ts";
import * as sql from "./statements.ts";

/** How the deliveries of an endpoint went in the last seven days, the newest 10,000 of them. */
export interface EndpointHealth {
  endpointId: number;
  delivered: number;
  failed: number;
  cancelled: number;
  /** Waiting for their first or next attempt, or being sent. */
  waiting: number;
  /** Those of them that have failed at least once. */
  retrying: number;
  lastDeliveredAt: string | null;
}

const DAYS_MS = 7 * 86_400_000;
/** Of very many deliveries the newest tell enough. */
const MOST_COUNTED = 10_000;

/** The health of every endpoint of the account that had deliveries; test deliveries do not count. */
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
