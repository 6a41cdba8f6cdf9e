import * as sql from "../../generated/sql/accounts/keys.ts";
import { DAY_MS } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import { ProblemError } from "../../platform/http/problem.ts";
import { lockAccount } from "../accounts.ts";
import { type Doer, makerOf, recordAction } from "../people/account-log.ts";
import { hashKey, keyModeOf, keyPrefix, newKey } from "./key-format.ts";
import { type KeyTerms, NO_TERMS } from "./key-terms.ts";
import { type KeyShown, shownKey } from "./shown-key.ts";

/** A new key. The whole key is only here: the database keeps its hash. */
export interface MadeKey extends KeyShown {
  key: string;
}

/** Keys in use that an account's own users may make. */
export const MOST_KEYS = 50;

/** The account is told of a key's end by mail so many days before it, and from the first of them on by a header of each answer. */
export const TELL_AT_DAYS = [14, 3, 0] as const;

/** The last of these days that has come for a key with this end; null: none. */
export function dueDays(expiresAt: Date, now: Date): number | null {
  const leftMs = expiresAt.getTime() - now.getTime();
  return TELL_AT_DAYS.findLast((days) => leftMs <= days * DAY_MS) ?? null;
}

/** Makes a key of an account. ProblemError key_limit_reached when it has `most` keys in use. */
export async function makeKey(
  context: Context,
  { accountId, ...maker }: Doer,
  { name, terms = NO_TERMS, most }: { name: string; terms?: KeyTerms; most: number },
): Promise<MadeKey> {
  const { clock, db } = context;
  const { id, key } = newKey(keyModeOf(context));
  const { scopes, networks, expiresAt } = terms;
  const now = clock.now();
  return db.transaction(async (client) => {
    await lockAccount(client, accountId);
    const row = await sql.insertKey(client, {
      id,
      accountId,
      name,
      secretHash: hashKey(key),
      now,
      scopes: [...scopes],
      networks: [...networks],
      expiresAt,
      // Nobody is told of what was known when the key was made.
      toldDays: expiresAt && dueDays(expiresAt, now),
      most,
      madeBy: makerOf(maker),
    });
    if (row === undefined) throw keyLimitReached();
    const subject = keySubject({ id, name });
    await recordAction(client, { accountId, ...maker }, { action: "key_made", subject, now });
    return { ...shownKey(context, row, now), key };
  });
}

/** A key as the log of an account names it. */
export const keySubject = ({ id, name }: { id: string; name: string }): string =>
  `${name} (${keyPrefix(id)})`;

const keyLimitReached = (): ProblemError =>
  new ProblemError(
    "key_limit_reached",
    `An account may have ${MOST_KEYS} keys in use. Revoke one that is no longer needed.`,
  );
