import type { Context } from "../../platform/context.ts";

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

const DAYS_MS = 7 * 86_400_000;
/** The newest deliveries are enough to judge an endpoint. */
const MOST_COUNTED = 10_000;

/** The health of each endpoint of the account. Test deliveries do not count. */
export async function endpointHealth(
  { db, clock }: Context,
  accountId: number,
): Promise<Map<number, EndpointHealth>> {
  const { rows } = await db.pool.query<
    Omit<EndpointHealth, "lastDeliveredAt"> & { lastDeliveredAt: Date | null }
  >(
    `SELECT endpoint.id AS "endpointId", recent.*
     FROM webhook_endpoint AS endpoint
     CROSS JOIN LATERAL (
       SELECT count(*) FILTER (WHERE status = 'delivered') AS delivered,
         count(*) FILTER (WHERE status = 'failed') AS failed,
         count(*) FILTER (WHERE status = 'cancelled') AS cancelled,
         count(*) FILTER (WHERE status IN ('queued', 'sending')) AS waiting,
         count(*) FILTER (WHERE status IN ('queued', 'sending') AND failures > 0) AS retrying,
         max(finished_at) FILTER (WHERE status = 'delivered') AS "lastDeliveredAt"
       FROM (SELECT status, failures, finished_at FROM webhook_delivery
             WHERE endpoint_id = endpoint.id AND NOT is_test AND created_at > $2
             ORDER BY id DESC LIMIT ${MOST_COUNTED}) AS newest) AS recent
     WHERE endpoint.account_id = $1 AND endpoint.deleted_at IS NULL`,
    [accountId, new Date(clock.now().getTime() - DAYS_MS)],
  );
  return new Map(
    rows.map((row) => [
      row.endpointId,
      { ...row, lastDeliveredAt: row.lastDeliveredAt?.toISOString() ?? null },
    ]),
  );
}
