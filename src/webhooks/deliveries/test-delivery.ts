import { lockAccount } from "../../accounts/accounts.ts";
import { takeEventNumber } from "../../events/event-number.ts";
import * as sql from "../../generated/sql/webhooks/deliveries.ts";
import type { components } from "../../generated/types.ts";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import { ProblemError } from "../../platform/http/problem.ts";
import { ACTIVE_ENDPOINTS_LIMIT } from "../endpoints/account-limits.ts";
import { noSuchEndpoint } from "../endpoints/endpoints.ts";

const WINDOW_MS = 60_000;
/** How many tests of an endpoint may be queued in a minute. */
export const TESTS_PER_ENDPOINT = 6;
/** Paused endpoints are tested too, and their number is unlimited: without this, many of them could flood a receiver. */
const PER_ACCOUNT = TESTS_PER_ENDPOINT * ACTIVE_ENDPOINTS_LIMIT;

/**
 * Queues a signed test delivery, also for a paused endpoint. ProblemError not_found; rate_limited after 6 a minute for the
 * endpoint, or 120 for the account.
 */
export async function queueTestDelivery(
  context: Context,
  accountId: number,
  endpointId: number,
): Promise<components["schemas"]["TestDeliveryOut"]> {
  const asked = { accountId, endpointId };
  // Refuses most of a flood before it blocks on the lock and holds a connection.
  await allowedEventType(context.db.pool, asked, context.clock.now());
  return context.db.transaction(async (client) => {
    await lockAccount(client, accountId);
    const now = context.clock.now();
    const eventType = await allowedEventType(client, asked, now);
    const { id } = await sql.insertTest(client, {
      endpointId,
      accountId,
      testNumber: await takeEventNumber(client),
      eventType,
      now,
    });
    return { delivery_id: id, endpoint_id: endpointId, status: "queued" };
  });
}

/** Whether the account ever sent a test delivery to an endpoint that it still has. */
export async function hasTestDelivery({ db }: Context, accountId: number): Promise<boolean> {
  const rowCount = await sql.findTest(db.pool, { accountId });
  return rowCount > 0;
}

/** The endpoint's first event type; ProblemError not_found, rate_limited. */
async function allowedEventType(
  db: Queryable,
  { accountId, endpointId }: { accountId: number; endpointId: number },
  now: Date,
): Promise<string> {
  const windowStart = new Date(now.getTime() - WINDOW_MS);
  const allowance = await sql.testAllowance(db, {
    endpointId,
    accountId,
    minuteAgo: windowStart,
    perEndpoint: TESTS_PER_ENDPOINT,
    perAccount: PER_ACCOUNT,
  });
  if (allowance === undefined) throw noSuchEndpoint();
  if (allowance.since === null) return allowance.event_type;
  const waitMs = allowance.since.getTime() - windowStart.getTime();
  throw tooMany(Math.max(1, Math.ceil(waitMs / 1000)));
}

const tooMany = (retryAfterSeconds: number): ProblemError =>
  new ProblemError(
    "rate_limited",
    `The limit is ${TESTS_PER_ENDPOINT} test deliveries a minute for an endpoint, and ${PER_ACCOUNT} for all endpoints of an account. ` +
      `Try again in ${retryAfterSeconds} s.`,
    { retryAfterSeconds },
  );
