// Situations of test mode that need another account: each account has one of its own for each of them, opened when a
// request first asks for it. Its plan has the situation's name, so limits and plans are checked as always.
import { monthStartOf } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import { TEST_SITUATION_NAMES, type TestSituation } from "../../platform/test-situation.ts";
import { mirrorAccount } from "../mirror.ts";
import type { KnownKey } from "./admission.ts";
import { callerOfAccount } from "./caller.ts";

/** The situations that have a plan, by the names of both. */
const WITH_ACCOUNTS: readonly TestSituation[] = [
  "no_api_access",
  "brokers_in_texas",
  "no_rows",
  "no_watching",
];

/** More than there are situations. */
const NUMBERS_OF_ACCOUNT = 16;

/** The number of the account that stands for another one in a situation. Those of customers are positive. */
const standInOf = (accountId: number, situation: TestSituation): number =>
  -(accountId * NUMBERS_OF_ACCOUNT + TEST_SITUATION_NAMES.indexOf(situation));

/** The account that a number of test mode belongs to: itself, or the one that it stands for. */
export const ownerOf = (accountId: number): number =>
  accountId > 0 ? accountId : Math.floor(-accountId / NUMBERS_OF_ACCOUNT);

/** The live account that a number of test mode belongs to; null if it is closed. */
export const openOwnerOf = (
  live: Context,
  accountId: number,
): Promise<{ suspension: string | null } | null> =>
  live.db.prisma.account.findUnique({
    where: { id: ownerOf(accountId), closedAt: null },
    select: { suspension: true },
  });

/** An admitted request of test mode under the situation that it asks for. */
export async function underSituation(context: Context, known: KnownKey): Promise<KnownKey> {
  const { situation } = context;
  if (situation === "minute_used_up")
    return { ...known, outcome: "rate_limited", rate: { ...known.rate, remaining: 0 } };
  if (situation === undefined || !WITH_ACCOUNTS.includes(situation)) return known;
  const { caller, quota } = known;
  const id = standInOf(ownerOf(caller.accountId), situation);
  await mirrorAccount(context, { id }, situation);
  const { keyId, grant, suspension } = caller;
  const standIn = { ...(await callerOfAccount(context, id)), keyId, grant, suspension };
  const month = new Date(monthStartOf(context.clock.now()));
  const usage = await context.db.prisma.usageMonth.findUnique({
    where: { accountId_month: { accountId: id, month } },
  });
  const used = Number(usage?.quotaRows ?? 0);
  return { ...known, caller: standIn, quota: { ...quota, limit: standIn.rowsPerMonth, used } };
}
