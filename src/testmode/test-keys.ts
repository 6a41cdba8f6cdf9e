import { readAccount, requireOpenAccount } from "../accounts/accounts.ts";
import { keyPrefix } from "../accounts/keys/key-format.ts";
import { createOwnKey, listKeys, revokeKey } from "../accounts/keys/keys.ts";
import type { KeyShown } from "../accounts/keys/shown-key.ts";
import { mirrorAccount } from "../accounts/mirror.ts";
import { type Doer, type Maker, recordAction } from "../accounts/people/account-log.ts";
import type { Context } from "../platform/context.ts";
import { beginTestMode, findTestMode } from "./test-mode.ts";

/** The plan of every account in test mode, as plan.yaml has it. */
const TEST_PLAN = "test";

/**
 * Makes a test key for an account, whatever its plan. The whole key is only in this answer. The first one of an installation
 * begins test mode, which takes some seconds. OperatorError for no open account, an invalid name, too many test keys in use, or
 * when the database of test mode can't be had.
 */
export async function createTestKey(
  live: Context,
  accountId: number,
  name: string,
  { person }: Maker = {},
): ReturnType<typeof createOwnKey> {
  const account = requireOpenAccount(await readAccount(live, accountId));
  const test = await beginTestMode(live);
  await mirrorAccount(test, account, TEST_PLAN);
  const made = await createOwnKey(test, { accountId, hasApiAccess: true }, name);
  await record(live, { accountId, person }, { action: "test_key_made", id: made.id });
  return made;
}

/** The test keys of one account or of all accounts, revoked ones too, oldest first. */
export async function listTestKeys(live: Context, accountId?: number): Promise<KeyShown[]> {
  const test = await findTestMode(live);
  if (test === null) return [];
  const keys = await listKeys(test);
  return accountId === undefined ? keys : keys.filter((key) => key.account_id === accountId);
}

/** Revokes a test key as `revokeKey` does a live one. OperatorError for an unknown key. */
export async function revokeTestKey(
  live: Context,
  idOrPrefix: string,
  accountId?: number,
  { person }: Maker = {},
): Promise<{ id: string }> {
  const revoked = await revokeKey((await findTestMode(live)) ?? live, idOrPrefix, accountId);
  if (accountId !== undefined)
    await record(live, { accountId, person }, { action: "test_key_revoked", id: revoked.id });
  return revoked;
}

/** The log of an account is in the live database: no address of a person comes near the one of test mode. */
const record = (
  { db, clock }: Context,
  doer: Doer,
  { action, id }: { action: "test_key_made" | "test_key_revoked"; id: string },
): Promise<void> => recordAction(db.pool, doer, { action, subject: keyPrefix(id, "test"), now: clock.now() });
