import type { Context } from "../../platform/context.ts";
import { validUntil, type WebhookOut } from "./endpoint-out.ts";
import { filtersOf, filtersOut, type Payload, type WebhookFilters } from "./filters.ts";
import * as sql from "./statements.ts";

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
  filters: WebhookFilters;
  payload: Payload;
  honor_retry_after: boolean;
  /** Until when deliveries are also signed with the secret before; null without an overlap. */
  previous_secret_valid_until: string | null;
}

/** The endpoints of one account or of all, oldest first, also paused ones. */
export async function listEveryEndpoint(
  { db, clock }: Context,
  accountId?: number,
): Promise<EndpointListed[]> {
  const { rows } = await sql.listEvery.run(db.pool, { accountId: accountId ?? null });
  return rows.map((row) => ({
    id: row.id,
    account_id: row.account_id,
    url: row.url,
    description: row.description,
    event_types: row.event_types,
    active: row.active,
    disabled_reason: row.disabled_reason,
    failure_streak: row.failure_streak,
    queued: row.queued,
    created_at: row.created_at.toISOString(),
    filters: filtersOut(filtersOf(row)),
    payload: row.payload,
    honor_retry_after: row.honorsRetryAfter,
    previous_secret_valid_until: validUntil(row, clock.now()),
  }));
}
