import { FULL_GRANT } from "../../../../accounts/keys/grant.ts";
import { isTestKey } from "../../../../accounts/keys/key-format.ts";
import { listKeys, revokeKey } from "../../../../accounts/keys/keys.ts";
import { rotateKey, secretMarkOf } from "../../../../accounts/keys/managed-keys.ts";
import { isAnswered, type KeyShown } from "../../../../accounts/keys/shown-key.ts";
import type { Session } from "../../../../accounts/sessions/sessions.ts";
import type { EntryContext } from "../../../../platform/context.ts";
import {
  listTestKeys,
  revokeTestKey,
  rotateOwnTestKey,
  secretMarkOfTestKey,
} from "../../../../testmode/test-keys.ts";
import { type Html, html } from "../../../kit/html.ts";
import { facts } from "../../../kit/table.ts";
import { shownTime } from "../../../kit/time.ts";

/** The note that shows a new secret once. */
export interface MadeKey {
  key: string;
  /** Until when the secret before it works; absent for a new key. */
  previousUntil?: string | null;
}

export const NO_SUCH_KEY = {
  status: 404,
  title: "Not found",
  detail: "Your account has no active key with this number.",
};

/** The account's keys, live ones and test keys. */
export async function keysOf(
  context: EntryContext,
  { accountId }: Session,
): Promise<{ live: KeyShown[]; test: KeyShown[] }> {
  const [live, test] = await Promise.all([
    listKeys(context, accountId),
    listTestKeys(context, accountId).catch((err) => {
      context.log.warn({ err }, "The test keys of an account could not be read; its live ones are shown.");
      return [];
    }),
  ]);
  return { live, test };
}

/** The account's key with that identifier, in use or not. */
export async function keyOf(
  context: EntryContext,
  session: Session,
  id: unknown,
): Promise<KeyShown | undefined> {
  const { live, test } = await keysOf(context, session);
  return [...live, ...test].find((key) => key.id === id);
}

/** Revokes a key of the account, live or test. */
export const revokeAnyKey = (
  context: EntryContext,
  session: Session,
  { id, prefix }: KeyShown,
): Promise<{ id: string }> =>
  (isTestKey(prefix) ? revokeTestKey : revokeKey)(context, id, session.accountId, session);

/** Gives a key of the account, live or test, a new secret. ProblemError not_found, key_ended; OutdatedPageError. */
export const rotateShownKey = (
  context: EntryContext,
  { accountId, person }: Session,
  { id, prefix }: KeyShown,
  asked: { graceSeconds: number; shownMark: string | null },
): ReturnType<typeof rotateKey> => {
  if (isTestKey(prefix)) return rotateOwnTestKey(context, { accountId, person }, id, asked);
  const by = { accountId, person, grant: FULL_GRANT };
  return rotateKey(context, by, id, { grace_seconds: asked.graceSeconds }, asked.shownMark);
};

/** The mark of the newest secret of a key, live or test. */
export const secretMarkOfShown = (context: EntryContext, { id, prefix }: KeyShown): Promise<string> =>
  (isTestKey(prefix) ? secretMarkOfTestKey : secretMarkOf)(context, id);

/** The account's key with that identifier, if it is in use. */
export async function keyInUse(
  context: EntryContext,
  session: Session,
  id: unknown,
): Promise<KeyShown | undefined> {
  const key = await keyOf(context, session, id);
  return key && isAnswered(key) ? key : undefined;
}

/** Which key a form is about. */
export const keyFacts = (key: KeyShown): Html =>
  facts([
    ["Name", key.name],
    ["Begins with", html`<code>${key.prefix}_…</code>`],
    ["Last used", key.last_used_at === null ? "never" : shownTime(key.last_used_at)],
  ]);
