import { takeEventNumber } from "../../events/event-number.ts";
import type { components } from "../../generated/types.ts";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import { ProblemError } from "../../platform/http/problem.ts";
import { ACTIVE_ENDPOINTS_LIMIT, lockAccount } from "../endpoints/account-limits.ts";
import { noSuchEndpoint } from "../endpoints/endpoints.ts";
import * as sql from "./statements.ts";

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
  const asked = { accountId, endpointId };
  // Most of a flood is turned away here, and only the rest waits for the lock, each with a connection.
  await allowedEventType(context.db.pool, asked, context.clock.now());
  return context.db.transaction(async (client) => {
    await lockAccount(client, accountId);
    const now = context.clock.now();
    const eventType = await allowedEventType(client, asked, now);
    const { rows } = await sql.insertTest.run(client, {
      endpointId,
      accountId,
      testNumber: await takeEventNumber(client),
      eventType,
      now,
    });
    const { id } = rows[0] as { id: number };
    return { delivery_id: id, endpoint_id: endpointId, status: "queued" };
  });
}

/** The endpoint's first event type; ProblemError where there is no such endpoint, or another test has to wait. */
async function allowedEventType(
  db: Queryable,
  { accountId, endpointId }: { accountId: number; endpointId: number },
  now: Date,
): Promise<string> {
  const windowStart = new Date(now.getTime() - WINDOW_MS);
  const { rows } = await sql.testAllowance.run(db, {
    endpointId,
    accountId,
    minuteAgo: windowStart,
    perEndpoint: PER_ENDPOINT,
    perAccount: PER_ACCOUNT,
  });
  const [allowance] = rows;
  if (allowance === undefined) throw noSuchEndpoint();
  if (allowance.since === null) return allowance.event_type;
  const waitMs = allowance.since.getTime() - windowStart.getTime();
  throw tooMany(Math.max(1, Math.ceil(waitMs / 1000)));
}

const tooMany = (retryAfterSeconds: number): ProblemError =>
  new ProblemError(
    "rate_limited",
    `An endpoint takes ${PER_ENDPOINT} test deliveries a minute, and an account's endpoints together ${PER_ACCOUNT}. ` +
      `Try again in ${retryAfterSeconds} s.`,
    { retryAfterSeconds },
  );
