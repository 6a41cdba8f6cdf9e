import type { Caller } from "../../accounts/keys/caller.ts";
import { chargeRows } from "../../accounts/usage/quota.ts";
import * as sql from "../../generated/sql/carriers/connections.ts";
import { monthStartOf } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";

/**
 * Charges a row for each business that the account has not paid for this month (UTC), all or none, exactly among parallel
 * calls. A HEAD request gets the price that GET would have. ProblemError quota_exceeded.
 */
export async function payForBusinesses(
  context: Context,
  caller: Caller,
  usdots: readonly number[],
): Promise<void> {
  if (usdots.length === 0) return;
  const now = context.clock.now();
  const payment = { accountId: caller.accountId, month: monthStartOf(now), usdots: [...usdots] };
  const { count } = await sql.unpaid(context.db.pool, payment);
  if (caller.isHead || count === 0) return chargeRows(context, caller, "api", count);
  await context.db.transaction(async (client) => {
    const paid = await sql.pay(client, payment);
    await chargeRows(context, caller, "api", paid.length, { client, now });
  });
}
