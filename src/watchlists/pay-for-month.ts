// What watched carriers cost: a row of the quota for each carrier and month (UTC), however many lists have it.

import { lockAccount } from "../accounts/accounts.ts";
import { type Caller, callerOfAccount } from "../accounts/keys/caller.ts";
import { chargeRows } from "../accounts/usage/quota.ts";
import * as sql from "../generated/sql/watchlists.ts";
import { monthStartOf } from "../platform/clock.ts";
import type { Context } from "../platform/context.ts";
import { DatabaseUnavailableError, toDatabaseError } from "../platform/database/database-error.ts";
import { keepTrying } from "../platform/database/keep-trying.ts";
import type { Queryable } from "../platform/database/statement.ts";
import { ProblemError } from "../platform/http/problem.ts";

/**
 * Charges a row for each carrier on the account's lists that is not paid for this month, in the transaction that locked the
 * account. `added`: the carriers that may be new; `paidMonth`: the newest month for which it
 * paid for all. Returns the rows. ProblemError quota_exceeded.
 */
export async function payForMonth(
  context: Context,
  caller: Caller,
  client: Queryable,
  { added, paidMonth }: { added: readonly number[]; paidMonth: string | null },
): Promise<number> {
  const { accountId } = caller;
  const now = context.clock.now();
  const month = monthStartOf(now);
  const isPaid = paidMonth !== null && paidMonth >= month;
  const rows = await sql.payForMonth(client, { accountId, month, usdots: isPaid ? added : null });
  if (!isPaid) {
    await sql.notePaidMonth(client, { accountId, month });
    await sql.forgetPaid(client, { accountId, month });
  }
  // Last, since other requests of the account wait for the row of its quota.
  await chargeRows(context, caller, "api", rows, { client, now });
  return rows;
}

/**
 * Charges the account for its watched carriers when nobody did yet this month, so that what they cost does not depend on who
 * asks first. ProblemError quota_exceeded.
 */
export async function requirePaidMonth(context: Context, caller: Caller): Promise<void> {
  const { accountId } = caller;
  const month = monthStartOf(context.clock.now());
  const paid = await context.db.prisma.watchedMonth.findUnique({ where: { accountId } });
  if (paid === null || paid.month >= new Date(month)) return;
  await context.db.transaction(async (client) => {
    await lockAccount(client, accountId);
    const { paidMonth } = await sql.countsOf(client, { accountId, watchlistId: null });
    await payForMonth(context, { ...caller, isHead: false }, client, { added: [], paidMonth });
  });
}

const LOOK_EVERY_MS = 60_000;

/** Charges accounts for their watched carriers soon after a month begins, until the returned function is called. */
export const keepPaying = (context: Context): (() => Promise<void>) =>
  keepTrying(context, LOOK_EVERY_MS, {
    work: () => payEveryAccount(context),
    failure: "Watched carriers could not be charged. Trying again.",
  });

/**
 * Charges every open account that did not pay for its watched carriers this month. One whose quota has too few rows, or that can't be
 * charged for another reason, is tried again later and reads no changes until then; the others are charged all the same.
 */
export async function payEveryAccount(context: Context): Promise<void> {
  const month = monthStartOf(context.clock.now());
  const failed = new Map<number, unknown>();
  for (const { account_id } of await sql.accountsToPay(context.db.pool, { month })) {
    try {
      await requirePaidMonth(context, await callerOfAccount(context, account_id));
    } catch (error) {
      // Without the database, the other accounts could not be charged either.
      if (toDatabaseError(error) instanceof DatabaseUnavailableError) throw error;
      if (!(error instanceof ProblemError)) failed.set(account_id, error);
    }
  }
  const [err] = failed.values();
  if (err === undefined) return;
  context.log.error(
    { err, accountIds: [...failed.keys()] },
    "Some accounts could not be charged for their watched carriers. Trying again; the error is that of the first.",
  );
}
