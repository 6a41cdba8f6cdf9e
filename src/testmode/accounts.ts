import { closedWithData, resumeAccount, suspendAccount } from "../accounts/account-life.ts";
import { type AccountShown, listAccounts } from "../accounts/accounts.ts";
import { ownerOf } from "../accounts/keys/situation.ts";
import { mirrorAccount } from "../accounts/mirror.ts";
import type { Context } from "../platform/context.ts";
import { keepTrying } from "../platform/database/keep-trying.ts";
import { closeAccount } from "../webhooks/endpoints/pause-or-delete.ts";

const LOOK_EVERY_MS = 1_000;

/**
 * Suspends, resumes, closes and erases the accounts of test mode as the live ones are, so that deliveries stop too. Opens one
 * again whose live account a restored backup opened. Requests go by the live account itself.
 */
export const followAccounts = (test: Context): (() => Promise<void>) =>
  keepTrying(test, LOOK_EVERY_MS, {
    work: () => followOnce(test),
    failure: "The accounts of test mode could not be brought up to date. Trying again.",
  });

async function followOnce(test: Context): Promise<void> {
  const { live } = test;
  if (live === undefined) return;
  const own = await listAccounts(test);
  if (own.length === 0) return;
  const ids = own.map(({ id }) => ownerOf(id));
  const states = new Map((await listAccounts(live, ids)).map((account) => [account.id, account]));
  const erasable = await closedWithData(test);
  for (const account of own) {
    const canErase = erasable.has(account.id);
    await follow(test, { ...account, canErase }, states.get(ownerOf(account.id)));
  }
}

async function follow(
  test: Context,
  account: AccountShown & { canErase: boolean },
  live: AccountShown | undefined,
): Promise<void> {
  const isClosed = account.closed_at !== null;
  if (live === undefined || live.closed_at !== null) {
    // Without its address, the live account was erased.
    const erases = !live?.email;
    if (!isClosed || (erases && account.canErase)) await closeAccount(test, account.id, { erases });
  } else if (isClosed) {
    await mirrorAccount(test, account, account.plan);
  } else if (live.suspension !== account.suspension) {
    if (live.suspension === null) await resumeAccount(test, account.id);
    else await suspendAccount(test, account.id, live.suspension);
  }
}
