import { readAccount, requireOpenAccount } from "../accounts/accounts.ts";
import { ALL_SCOPES, FULL_GRANT } from "../accounts/keys/grant.ts";
import { keyPrefix } from "../accounts/keys/key-format.ts";
import { type KeyTerms, NO_TERMS } from "../accounts/keys/key-terms.ts";
import { createOwnKey, listKeys, revokeKey, rotateAnyKey } from "../accounts/keys/keys.ts";
import { rotateKey, secretMarkOf } from "../accounts/keys/managed-keys.ts";
import type { KeyShown } from "../accounts/keys/shown-key.ts";
import { ownerOf } from "../accounts/keys/situation.ts";
import { mirrorAccount } from "../accounts/mirror.ts";
import { type Doer, type LoggedAction, type Maker, recordAction } from "../accounts/people/account-log.ts";
import type { Context } from "../platform/context.ts";
import { beginTestMode, findTestMode } from "./test-mode.ts";

/** The plan of every account in test mode, as plan.yaml has it. */
const TEST_PLAN = "test";

/**
 * Makes a test key for an account, whatever its plan. Without scopes it has every one, so that everything can be tried. The
 * whole key is only in this answer. The first one of an installation begins test mode, which takes some seconds.
 * OperatorError for no open account, an invalid name, too many test keys in use, or when the database of test mode can't be had.
 */
export async function createTestKey(
  live: Context,
  accountId: number,
  name: string,
  { terms = NO_TERMS, person }: { terms?: KeyTerms } & Maker = {},
): ReturnType<typeof createOwnKey> {
  const account = requireOpenAccount(await readAccount(live, accountId));
  const test = await beginTestMode(live);
  await mirrorAccount(test, account, TEST_PLAN);
  const scopes = terms.scopes.length > 0 ? terms.scopes : ALL_SCOPES;
  const made = await createOwnKey(test, { accountId, hasApiAccess: true }, name, { ...terms, scopes });
  await record(live, { accountId, person }, { action: "test_key_made", id: made.id });
  return made;
}

/** The test keys of one account or of all accounts, revoked ones too, oldest first. */
export async function listTestKeys(live: Context, accountId?: number): Promise<KeyShown[]> {
  const test = await findTestMode(live);
  if (test === null) return [];
  const keys = await listKeys(test);
  return accountId === undefined ? keys : keys.filter((key) => ownerOf(key.account_id) === accountId);
}

/** Revokes a test key as `revokeKey` does a live one. OperatorError for an unknown key. */
export async function revokeTestKey(
  live: Context,
  idOrPrefix: string,
  accountId?: number,
  { person }: Maker = {},
): Promise<{ id: string }> {
  const test = (await findTestMode(live)) ?? live;
  if (accountId === undefined) return revokeKey(test, idOrPrefix);
  const revoked = await revokeKey(test, idOrPrefix, await holderOf(live, accountId, idOrPrefix));
  await record(live, { accountId, person }, { action: "test_key_revoked", id: revoked.id });
  return revoked;
}

/** Gives a test key a new secret as `rotateAnyKey` does a live one. OperatorError for an unknown key, or one that has ended. */
export const rotateTestKey = async (
  live: Context,
  ...asked: [idOrPrefix: string, graceSeconds: number]
): ReturnType<typeof rotateAnyKey> => rotateAnyKey((await findTestMode(live)) ?? live, ...asked);

/** The same for a key of one account, by its identifier. ProblemError not_found, key_ended; OutdatedPageError. */
export async function rotateOwnTestKey(
  live: Context,
  doer: Doer,
  id: string,
  { graceSeconds, shownMark }: { graceSeconds: number; shownMark: string | null },
): ReturnType<typeof rotateKey> {
  const test = (await findTestMode(live)) ?? live;
  const by = { accountId: await holderOf(live, doer.accountId, id), grant: FULL_GRANT };
  const rotated = await rotateKey(test, by, id, { grace_seconds: graceSeconds }, shownMark);
  await record(live, doer, { action: "test_key_rotated", id });
  return rotated;
}

/** The mark of a test key's newest secret, as `secretMarkOf` gives it of a live one. */
export const secretMarkOfTestKey = async (live: Context, id: string): Promise<string> =>
  secretMarkOf((await findTestMode(live)) ?? live, id);

/** The account of test mode that has a key of this account: its own, or one that stands in for it. */
async function holderOf(live: Context, accountId: number, id: string): Promise<number> {
  const own = (await listTestKeys(live, accountId)).find((key) => key.id === id);
  return own?.account_id ?? accountId;
}

/** The log of an account is in the live database: no address of a person comes near the one of test mode. */
const record = (
  { db, clock }: Context,
  doer: Doer,
  { action, id }: { action: Extract<LoggedAction, `test_key_${string}`>; id: string },
): Promise<void> => recordAction(db.pool, doer, { action, subject: keyPrefix(id, "test"), now: clock.now() });
