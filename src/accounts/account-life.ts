// How an account is suspended, resumed, renamed and closed. Admission reads the state with each request, and dispatchers
// in each send window, so every process goes by it from the commit on.
import * as sql from "../generated/sql/accounts.ts";
import type { Context } from "../platform/context.ts";
import type { Queryable } from "../platform/database/statement.ts";
import { OperatorError } from "../platform/operator-error.ts";
import { type AccountShown, readAccount, requireOpenAccount } from "./accounts.ts";
import { checkedText } from "./checked-text.ts";
import { eraseLinksTo, eraseMailsTo } from "./erased-mails.ts";

/**
 * Refuses the account's keys and lets its deliveries wait. The customer sees the reason; suspending again replaces it.
 * OperatorError for no open account or an invalid reason.
 */
export const suspendAccount = (context: Context, accountId: number, reason: string): Promise<AccountShown> =>
  changeAccount(context, accountId, {
    suspension: checkedText("reason", reason, 500),
    suspendedAt: context.clock.now(),
  });

/** Admits the account's keys again and lets its deliveries go on. OperatorError for no open account. */
export const resumeAccount = (context: Context, accountId: number): Promise<AccountShown> =>
  changeAccount(context, accountId, { suspension: null, suspendedAt: null });

/** OperatorError for no open account or an invalid name. */
export const renameAccount = (context: Context, accountId: number, name: string): Promise<AccountShown> =>
  changeAccount(context, accountId, { name: checkedText("name", name, 200) });

async function changeAccount(
  context: Context,
  accountId: number,
  data: { name: string } | { suspension: string | null; suspendedAt: Date | null },
): Promise<AccountShown> {
  await context.db.prisma.account.updateMany({ where: { id: accountId, closedAt: null }, data });
  return requireOpenAccount(await readAccount(context, accountId));
}

/**
 * Closes an account in the caller's transaction, which ends its endpoints too: its keys are revoked, and nobody can sign
 * in. `erases`: its name, people, log and keys are erased, also of one that was closed with them; call eraseUsage after the
 * commit. Returns how many keys were in use. OperatorError when there is no open account.
 */
export async function endAccount(
  client: Queryable,
  { accountId, erases, now }: { accountId: number; erases: boolean; now: Date },
): Promise<number> {
  if ((await sql.closeAccount(client, { accountId, now, erases })) === 0) {
    throw new OperatorError(`There is no open account ${accountId}; "account list" shows all accounts.`);
  }
  const keys = await sql.revokeKeys(client, { accountId, now });
  const linked = await sql.endSessions(client, { accountId });
  await sql.forgetWaiting(client, { accountId });
  await sql.deleteViews(client, { accountId });
  if (erases) await sql.eraseAccount(client, { accountId });
  await (erases ? eraseMailsTo : eraseLinksTo)(client, linked, now);
  return keys;
}

/** Erases what a closed account used, with what was being counted while it was closed. */
export const eraseUsage = ({ db }: Context, accountId: number): Promise<void> =>
  db.transaction(async (client) => {
    await sql.waitForCounts(client);
    await sql.eraseUsage(client, { accountId });
  });

/** The closed accounts whose keys, usage or people are not erased. */
export const closedWithData = async ({ db }: Context): Promise<ReadonlySet<number>> =>
  new Set((await sql.closedWithData(db.pool)).map(({ id }) => id));
