import type pg from "pg";
import { takeEventNumber } from "../events/event-number.ts";
import type { components } from "../generated/types.ts";
import type { Context } from "../platform/context.ts";
import { ProblemError } from "../platform/problem.ts";
import { ACTIVE_ENDPOINTS_LIMIT, lockAccount } from "./account-limits.ts";
import { noSuchEndpoint } from "./endpoints.ts";

const WINDOW_MS = 60_000;
const PER_ENDPOINT = 6;
/** Tests go to paused endpoints too, and of these there is no end: nobody is to be flooded over many of them. */
const PER_ACCOUNT = PER_ENDPOINT * ACTIVE_ENDPOINTS_LIMIT;

/**
 * Queues a signed test delivery, to a paused endpoint too. ProblemError not_found; rate_limited after 6 within a
 * minute, or as many over the whole account as 20 endpoints may have.
 */
export async function queueTestDelivery(
  context: Context,
  accountId: number,
  endpointId: number,
): Promise<components["schemas"]["TestDeliveryOut"]> {
  return context.db.transaction(async (client) => {
    await lockAccount(client, accountId);
    const eventType = await firstEventType(client, accountId, endpointId);
    if (eventType === null) throw noSuchEndpoint();
    const now = context.clock.now();
    await requireWithinRate(client, accountId, endpointId, now);
    const { rows } = await client.query<{ id: number }>(
      `INSERT INTO webhook_delivery (endpoint_id, account_id, event_id, is_test, event_type, status, due_at, created_at)
       VALUES ($1, $2, $3, true, $4, 'queued', $5, $5) RETURNING id`,
      [endpointId, accountId, await takeEventNumber(client), eventType, now],
    );
    const { id } = rows[0] as { id: number };
    return { delivery_id: id, endpoint_id: endpointId, status: "queued" };
  });
}

async function firstEventType(
  client: pg.ClientBase,
  accountId: number,
  endpointId: number,
): Promise<string | null> {
  const { rows } = await client.query<{ type: string }>(
    "SELECT event_types[1] AS type FROM webhook_endpoint WHERE id = $1::bigint AND account_id = $2",
    [endpointId, accountId],
  );
  return rows[0]?.type ?? null;
}

async function requireWithinRate(
  client: pg.ClientBase,
  accountId: number,
  endpointId: number,
  now: Date,
): Promise<void> {
  const { rows } = await client.query<{ endpoint_id: number; created_at: Date }>(
    `SELECT endpoint_id, created_at FROM webhook_delivery
     WHERE account_id = $1 AND is_test AND created_at > $2
     ORDER BY created_at DESC LIMIT ${PER_ACCOUNT}`,
    [accountId, new Date(now.getTime() - WINDOW_MS)],
  );
  // A place is free when the oldest of the newest six, or of the account's newest, is a minute old.
  const ofEndpoint = rows.filter((row) => row.endpoint_id === endpointId)[PER_ENDPOINT - 1];
  const oldest = ofEndpoint ?? rows[PER_ACCOUNT - 1];
  if (oldest === undefined) return;
  const waitMs = oldest.created_at.getTime() + WINDOW_MS - now.getTime();
  throw tooMany(ofEndpoint !== undefined, Math.max(1, Math.ceil(waitMs / 1000)));
}

const tooMany = (isOfEndpoint: boolean, retryAfterSeconds: number): ProblemError =>
  new ProblemError(
    "rate_limited",
    `${isOfEndpoint ? `An endpoint takes ${PER_ENDPOINT}` : `An account may queue ${PER_ACCOUNT}`} test deliveries ` +
      `a minute. Try again in ${retryAfterSeconds} s.`,
    { retryAfterSeconds },
  );
