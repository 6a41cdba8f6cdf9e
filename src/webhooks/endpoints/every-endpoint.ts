import type { Context } from "../../platform/context.ts";
import type { WebhookOut } from "./endpoint-out.ts";
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
}

/** The endpoints of one account or of all, oldest first, also paused ones. */
export async function listEveryEndpoint({ db }: Context, accountId?: number): Promise<EndpointListed[]> {
  const { rows } = await sql.listEvery.run(db.pool, { accountId: accountId ?? null });
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
}
