import type { Context } from "../../platform/context.ts";
import type { WebhookOut } from "./endpoint-out.ts";

/** An endpoint as operators see it. */
export interface EndpointListed {
  id: number;
  account_id: number;
  /** Without its query, which often holds a secret of the receiver. */
  url: string;
  description: string | null;
  event_types: WebhookOut["event_types"];
  active: boolean;
  disabled_reason: string | null;
  failure_streak: number;
  /** Queued deliveries. */
  queued: number;
  created_at: string;
}

/** The endpoints of one account or of all, oldest first, also paused ones. */
export async function listEveryEndpoint({ db }: Context, accountId?: number): Promise<EndpointListed[]> {
  const { rows } = await db.pool.query<Omit<EndpointListed, "created_at"> & { created_at: Date }>(
    `SELECT endpoint.id, endpoint.account_id, regexp_replace(endpoint.url, '[?#].*', '') AS url, endpoint.description,
       endpoint.event_types, endpoint.active, endpoint.disabled_reason, endpoint.failure_streak,
       (SELECT count(*) FROM webhook_delivery AS delivery
        WHERE delivery.endpoint_id = endpoint.id AND delivery.status = 'queued') AS queued,
       endpoint.created_at
     FROM webhook_endpoint AS endpoint
     WHERE endpoint.deleted_at IS NULL AND ($1::integer IS NULL OR endpoint.account_id = $1)
     ORDER BY endpoint.id`,
    [accountId ?? null],
  );
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
}
