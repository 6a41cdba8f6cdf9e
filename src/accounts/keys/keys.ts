import * as sql from "../../generated/sql/accounts/keys.ts";
import type { Context } from "../../platform/context.ts";
import { ProblemError } from "../../platform/http/problem.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { readAccount, requireOpenAccount } from "../accounts.ts";
import { checkedText } from "../checked-text.ts";
import { type Doer, type Maker, recordAction } from "../people/account-log.ts";
import { type Caller, requireApiAccess } from "./caller.ts";
import { FULL_GRANT } from "./grant.ts";
import { parseKey } from "./key-format.ts";
import type { KeyTerms } from "./key-terms.ts";
import { keySubject, type MadeKey, MOST_KEYS, makeKey } from "./make-key.ts";
import { rotateKey } from "./managed-keys.ts";
import { type KeyShown, shownKey } from "./shown-key.ts";
import { openOwnerOf } from "./situation.ts";

/** The name of a key, trimmed. OperatorError for one that can't be. */
export const checkedKeyName = (name: string): string => checkedText("name", name, 100);

/** Creates a key for an operator, who may make any number. OperatorError for an invalid name or no open account. */
export async function createKey(
  context: Context,
  accountId: number,
  name: string,
  terms?: KeyTerms,
): Promise<MadeKey> {
  const keyName = checkedKeyName(name);
  requireOpenAccount(await readAccount(context, accountId));
  return makeKey(context, { accountId }, { name: keyName, most: ANY_NUMBER, ...(terms && { terms }) });
}

/** The largest number of PostgreSQL's integer. */
const ANY_NUMBER = 2_147_483_647;

/**
 * Creates a key for the account's own users. ProblemError plan_has_no_api_access, key_limit_reached; OperatorError for an
 * invalid name.
 */
export async function createOwnKey(
  context: Context,
  caller: Doer & Pick<Caller, "hasApiAccess">,
  name: string,
  terms?: KeyTerms,
): Promise<MadeKey> {
  requireApiAccess(caller);
  const keyName = checkedKeyName(name);
  const { accountId, person } = caller;
  return makeKey(context, { accountId, person }, { name: keyName, most: MOST_KEYS, ...(terms && { terms }) });
}

/** The keys of one account or of all accounts, revoked ones too, oldest first. */
export async function listKeys(context: Context, accountId?: number): Promise<KeyShown[]> {
  if (accountId !== undefined) await readAccount(context, accountId);
  const keys = await context.db.prisma.apiKey.findMany({
    where: accountId === undefined ? {} : { accountId },
    omit: { secretHash: true, previousSecretHash: true },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  const now = context.clock.now();
  return keys.map((key) => shownKey(context, key, now));
}

/** Whether any key of any account can be used. Runs at every start, so without Prisma, which is slow to load. */
export async function hasUsableKey({ clock, db }: Context): Promise<boolean> {
  const rowCount = await sql.findUsableKey(db.pool, { now: clock.now() });
  return rowCount === 1;
}

/**
 * Whether a presented key of test mode can be used. The request does not count in the key's minute, and may come from
 * elsewhere than the key's networks.
 */
export async function isUsableTestKey({ clock, db, live }: Context, presented: string): Promise<boolean> {
  const parsed = parseKey(presented);
  if (parsed === null || live === undefined) return false;
  const found = await sql.accountOfUsableKey(db.pool, { ...parsed, now: clock.now() });
  return found !== undefined && (await openOwnerOf(live, found.accountId)) !== null;
}

/**
 * Revokes a key, given by its identifier or prefix; with `accountId` only a key of that account. Every process refuses it
 * from the next request on: a trigger changes `admission_state`, which ends what processes remember of keys. Revoking again
 * changes nothing. Throws OperatorError for an unknown key.
 */
export async function revokeKey(
  context: Context,
  idOrPrefix: string,
  accountId?: number,
  { person }: Maker = {},
): Promise<{ id: string }> {
  const id = idFrom(idOrPrefix);
  await context.db.transaction(async (client) => {
    const now = context.clock.now();
    const key = await sql.lockKey(client, { id, accountId: accountId ?? null });
    if (key === undefined) throw unknownKey();
    if (key.revokedAt !== null) return;
    await sql.revokeKey(client, { id, now });
    const doer = { accountId: key.accountId, person };
    await recordAction(client, doer, { action: "key_revoked", subject: keySubject(key), now });
  });
  return { id };
}

const idFrom = (idOrPrefix: string): string => idOrPrefix.replace(/^tdf_(live|test)_/, "");

/** Gives any key a new secret, for an operator. OperatorError for an unknown key, or one that has ended. */
export async function rotateAnyKey(
  context: Context,
  idOrPrefix: string,
  graceSeconds: number,
): ReturnType<typeof rotateKey> {
  const found = await context.db.prisma.apiKey.findUnique({ where: { id: idFrom(idOrPrefix) } });
  if (found === null) throw unknownKey();
  const by = { accountId: found.accountId, grant: FULL_GRANT };
  return rotateKey(context, by, found.id, { grace_seconds: graceSeconds }).catch((error) => {
    throw error instanceof ProblemError ? new OperatorError(error.message) : error;
  });
}

// The message does not repeat the text: it may be a whole key.
const unknownKey = (): OperatorError =>
  new OperatorError(
    'There is no key with that identifier (the 8 characters after tdf_live_ or tdf_test_); "key list" shows all keys.',
  );
