import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import * as sql from "../../generated/sql/accounts/keys.ts";
import { isOnThisMachine } from "../../platform/config/settings.ts";
import type { Context } from "../../platform/context.ts";
import { demoFirstDay } from "../../platform/installation/installation.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { readAccount, requireOpenAccount } from "../accounts.ts";
import { checkedText } from "../checked-text.ts";
import { type Doer, type Maker, makerOf, recordAction } from "../people/account-log.ts";
import { type Caller, requireApiAccess } from "./caller.ts";
import { hashKey, keyPrefix, newKey, parseKey } from "./key-format.ts";

/** A key without its secret. */
export interface KeyShown {
  id: string;
  account_id: number;
  name: string;
  prefix: string;
  created_at: string;
  revoked_at: string | null;
  /** To the minute. */
  last_used_at: string | null;
  /** The address of the person, or the identifier of the key, who made it; null: an operator did, or it is not known. */
  made_by: string | null;
}

/** Creates a key, made by a person or by nobody known. The whole key is only in this answer: the database keeps its hash. */
export async function createKey(
  context: Context,
  accountId: number,
  name: string,
  maker: Maker = {},
): Promise<{ id: string; key: string; prefix: string }> {
  const keyName = checkedText("name", name, 100);
  requireOpenAccount(await readAccount(context, accountId));
  const { id, key } = newKey();
  const now = context.clock.now();
  await context.db.transaction(async (client) => {
    const made = { id, accountId, name: keyName, secretHash: hashKey(key), now, madeBy: makerOf(maker) };
    await sql.insertKey(client, made);
    const subject = `${keyName} (${keyPrefix(id)})`;
    await recordAction(client, { ...maker, accountId }, { action: "key_made", subject, now });
  });
  return { id, key, prefix: keyPrefix(id) };
}

/** Maximum of keys in use for one account. */
const MOST_KEYS = 50;

/**
 * Creates a key for the account's own users. Throws ProblemError plan_has_no_api_access if the plan lacks API access, and
 * OperatorError for an invalid name or too many keys in use.
 */
export async function createOwnKey(
  context: Context,
  caller: Doer & Pick<Caller, "hasApiAccess">,
  name: string,
): ReturnType<typeof createKey> {
  requireApiAccess(caller);
  const inUse = await context.db.prisma.apiKey.count({
    where: { accountId: caller.accountId, revokedAt: null },
  });
  if (inUse >= MOST_KEYS) {
    throw new OperatorError(
      `An account may have ${MOST_KEYS} keys in use. Revoke one that is no longer needed.`,
    );
  }
  return createKey(context, caller.accountId, name, { person: caller.person });
}

/** The keys of one account or of all accounts, revoked ones too, oldest first. */
export async function listKeys(context: Context, accountId?: number): Promise<KeyShown[]> {
  if (accountId !== undefined) await readAccount(context, accountId);
  const keys = await context.db.prisma.apiKey.findMany({
    where: accountId === undefined ? {} : { accountId },
    omit: { secretHash: true },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  return keys.map((key) => ({
    id: key.id,
    account_id: key.accountId,
    name: key.name,
    prefix: keyPrefix(key.id),
    created_at: key.createdAt.toISOString(),
    revoked_at: key.revokedAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    made_by: key.madeBy,
  }));
}

/** Whether any key of any account can be used. Runs at every start, so without Prisma, which is slow to load. */
export async function hasUsableKey({ db }: Context): Promise<boolean> {
  const rowCount = await sql.findUsableKey(db.pool);
  return rowCount === 1;
}

/**
 * Revokes a key, given by its identifier or prefix; with `accountId` only a key of that account. Every process refuses it
 * from the next request on, since none caches keys. Revoking again changes nothing. Throws OperatorError for an unknown
 * key.
 */
export async function revokeKey(
  context: Context,
  idOrPrefix: string,
  accountId?: number,
  { person }: Maker = {},
): Promise<{ id: string }> {
  const id = idOrPrefix.startsWith(keyPrefix("")) ? idOrPrefix.slice(keyPrefix("").length) : idOrPrefix;
  await context.db.transaction(async (client) => {
    const now = context.clock.now();
    const key = await sql.lockKey(client, { id, accountId: accountId ?? null });
    if (key === undefined) throw unknownKey();
    if (key.isRevoked) return;
    await sql.revokeKey(client, { id, now });
    const subject = `${key.name} (${keyPrefix(id)})`;
    await recordAction(client, { accountId: key.accountId, person }, { action: "key_revoked", subject, now });
  });
  return { id };
}

// The message does not repeat the text: it may be a whole key.
const unknownKey = (): OperatorError =>
  new OperatorError(
    'There is no key with that identifier (the 8 characters after tdf_live_); "key list" shows all keys.',
  );

/**
 * Returns the demo account's key, the same at each start. The database has only its hash, so the key is kept in a file of
 * the data folder that nobody else may read.
 */
export async function demoKey(context: Context, accountId: number): Promise<string> {
  const kept = await keptDemoKey(context);
  if (kept !== null) return kept;
  const { key } = await createKey(context, accountId, "demo");
  await writeFile(fileOf(context), `${key}\n`, { mode: 0o600 });
  return key;
}

/**
 * The demo key for pages that anybody may see. Null unless the database holds the demo and only this machine can reach
 * the service: on any other installation no page ever shows a key.
 */
export async function shownDemoKey(context: Context): Promise<string | null> {
  if (!isOnThisMachine(context.config)) return null;
  try {
    return (await demoFirstDay(context)) === null ? null : await keptDemoKey(context);
  } catch (error) {
    // The pages explain how to go on when the database does not answer, so they are shown then too.
    context.log.warn({ err: error }, "The demo key could not be read; pages are shown without it.");
    return null;
  }
}

/** The kept key, or null when there is none or it was revoked. */
async function keptDemoKey(context: Context): Promise<string | null> {
  const kept = (await readFile(fileOf(context), "utf8").catch(() => "")).trim();
  const parsed = parseKey(kept);
  if (parsed === null) return null;
  const found = await context.db.prisma.apiKey.findUnique({ where: { id: parsed.id, revokedAt: null } });
  return found !== null && parsed.secretHash.equals(found.secretHash) ? kept : null;
}

const fileOf = ({ config }: Context): string => path.join(config.dataDir, "demo.key");
