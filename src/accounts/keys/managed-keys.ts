// Keys that manage the keys of their account. A key can give, rotate and revoke only what is within its own grant.
import * as sql from "../../generated/sql/accounts/keys.ts";
import type { components } from "../../generated/types.ts";
import { rotationMembers } from "../../generated/webhook-members.ts";
import type { Context } from "../../platform/context.ts";
import { openCursor, sealCursor } from "../../platform/http/cursor.ts";
import {
  InvalidRequestError,
  requirePlainTexts,
  unknownCursor,
} from "../../platform/http/invalid-request.ts";
import { requireShownSecret } from "../../platform/http/outdated-page.ts";
import { ProblemError } from "../../platform/http/problem.ts";
import { mostIn } from "../../platform/test-situation.ts";
import { type Doer, recordAction } from "../people/account-log.ts";
import type { Caller } from "./caller.ts";
import { type Grant, grantOf } from "./grant.ts";
import { requireSecretWithin, requireWithin } from "./grant-limits.ts";
import { hashKey, keyModeOf, keyText, newSecret, secretMark } from "./key-format.ts";
import { checkedTerms } from "./key-terms.ts";
import { keySubject, MOST_KEYS, makeKey } from "./make-key.ts";
import { grantOfKey, isInUse, type KeyShown, shownKey } from "./shown-key.ts";

type KeyOut = components["schemas"]["KeyOut"];

/** How long the old secret works after a rotation, unless the request says otherwise, and at most. */
export const { default: USUAL_GRACE_SECONDS, maximum: MOST_GRACE_SECONDS } = rotationMembers.grace_seconds;

/** A page of the account's keys, oldest first. InvalidRequestError for a cursor of another account. */
export async function listOwnKeys(
  context: Context,
  accountId: number,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<components["schemas"]["KeysOut"]> {
  const { clock, db } = context;
  const owner = `keys ${accountId}`;
  const after = cursor === undefined ? undefined : lastIdOf(owner, cursor);
  const now = clock.now();
  const [rows, inUse] = await Promise.all([
    db.prisma.apiKey.findMany({
      where: { accountId },
      omit: { secretHash: true, previousSecretHash: true },
      orderBy: [{ createdAt: "asc" }, { id: "asc" }],
      take: limit + 1,
      ...(after !== undefined && { cursor: { id: after }, skip: 1 }),
    }),
    db.prisma.apiKey.count({
      where: { accountId, revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
    }),
  ]);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    data: page.map((row) => keyOut(shownKey(context, row, now))),
    next_cursor: last !== undefined && rows.length > limit ? sealCursor(FORM, owner, [last.id]) : null,
    meta: { keys_in_use: inUse, keys_limit: MOST_KEYS },
  };
}

const FORM = "k1";

function lastIdOf(owner: string, cursor: string): string {
  const [id] = openCursor(FORM, owner, cursor) ?? [];
  if (id === undefined) throw new InvalidRequestError([FOREIGN_CURSOR]);
  return id;
}

const FOREIGN_CURSOR = unknownCursor("must be next_cursor of an earlier answer for this account");

/** A key as its account's programs see it; `key` is there only in the answer that gives it its secret. */
const keyOut = <Key extends KeyShown>({
  account_id: _,
  made_by: __,
  ...key
}: Key): Omit<Key, "account_id" | "made_by"> => key;

/**
 * Makes a key within the caller's grant; only this answer has it. InvalidRequestError; ProblemError exceeds_own_key,
 * key_limit_reached.
 */
export async function createManagedKey(
  context: Context,
  { accountId, keyId, grant }: Caller,
  { name, ...asked }: components["schemas"]["NewKeyIn"],
): Promise<KeyOut> {
  requirePlainTexts({ name });
  if (name.trim() === "") throw new InvalidRequestError([BLANK_NAME]);
  const terms = checkedTerms(asked, context.clock.now());
  const given = grantOf({ ...terms, validUntil: terms.expiresAt });
  requireSecretWithin(given, grant);
  const most = mostIn(context, MOST_KEYS);
  return keyOut(await makeKey(context, { accountId, keyId }, { name: name.trim(), terms, most }));
}

const BLANK_NAME = { loc: ["body", "name"], msg: "must not be blank", type: "minLength" };

/**
 * Gives a key of the account a new secret, which only this answer has; the old one works for the grace. Without `grant` the
 * account's own users do it. ProblemError not_found, exceeds_own_key, key_ended; OutdatedPageError for a page that showed
 * another secret.
 */
export function rotateKey(
  context: Context,
  { grant, ...doer }: Doer & { grant: Grant },
  id: string,
  { grace_seconds: graceSeconds = USUAL_GRACE_SECONDS }: components["schemas"]["KeyRotationIn"] = {},
  shownMark?: string | null,
): Promise<KeyOut & { key: string }> {
  const { clock, db } = context;
  return db.transaction(async (client) => {
    const stored = await sql.lockKey(client, { id, accountId: doer.accountId });
    if (stored === undefined) throw noSuchKey();
    const now = clock.now();
    if (!isInUse(stored, now)) throw keyEnded();
    requireSecretWithin(grantOfKey(stored), grant);
    const previousUntil = shownKey(context, stored, now).previous_valid_until;
    requireShownSecret({ mark: secretMark(stored.secretHash), previousUntil }, shownMark);
    const key = keyText(id, newSecret(), keyModeOf(context));
    const previousValidUntil = new Date(now.getTime() + graceSeconds * 1000);
    await sql.rotateKey(client, { id, secretHash: hashKey(key), previousUntil: previousValidUntil });
    await recordAction(client, doer, { action: "key_rotated", subject: keySubject(stored), now });
    return keyOut({ ...shownKey(context, { ...stored, previousValidUntil }, now), key });
  });
}

/** The mark of a key's newest secret, for the page that asks before it is rotated. */
export async function secretMarkOf({ db }: Context, id: string): Promise<string> {
  const { secretHash } = await db.prisma.apiKey.findUniqueOrThrow({
    where: { id },
    select: { secretHash: true },
  });
  return secretMark(secretHash);
}

/**
 * Revokes a key of the account: the caller's own, or one within its grant. ProblemError not_found, exceeds_own_key.
 */
export async function revokeManagedKey(
  { clock, db }: Context,
  { accountId, keyId, grant }: Caller,
  id: string,
): Promise<void> {
  const stored = await db.prisma.apiKey.findUnique({
    where: { id, accountId },
    omit: { secretHash: true, previousSecretHash: true },
  });
  if (stored === null) throw noSuchKey();
  if (id !== keyId) requireWithin(grantOfKey(stored), grant);
  await db.prisma.apiKey.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: clock.now() } });
}

/** The same error for another account's key and for none. */
const noSuchKey = (): ProblemError => new ProblemError("not_found", "Your account has no key of this id.");

const keyEnded = (): ProblemError =>
  new ProblemError(
    "key_ended",
    "This key was revoked or has expired, so it gets no new secret. Create another one.",
  );
