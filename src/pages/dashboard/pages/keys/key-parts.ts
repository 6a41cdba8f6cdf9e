import { listKeys } from "../../../../accounts/keys/keys.ts";
import type { KeyShown } from "../../../../accounts/keys/shown-key.ts";
import type { Session } from "../../../../accounts/sessions/sessions.ts";
import type { EntryContext } from "../../../../platform/context.ts";
import { type Html, html } from "../../../kit/html.ts";
import { facts } from "../../../kit/table.ts";
import { shownTime } from "../../../kit/time.ts";
import { isInUse } from "./key-table.ts";

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

/** The account's key with that identifier, in use or not. */
export const keyOf = async (
  context: EntryContext,
  { accountId }: Session,
  id: unknown,
): Promise<KeyShown | undefined> => (await listKeys(context, accountId)).find((key) => key.id === id);

/** The account's key with that identifier, if it is in use. */
export async function keyInUse(
  context: EntryContext,
  session: Session,
  id: unknown,
): Promise<KeyShown | undefined> {
  const key = await keyOf(context, session, id);
  return key && isInUse(key) ? key : undefined;
}

/** Which key a form is about. */
export const keyFacts = (key: KeyShown): Html =>
  facts([
    ["Name", key.name],
    ["Begins with", html`<code>${key.prefix}_…</code>`],
    ["Last used", key.last_used_at === null ? "never" : shownTime(key.last_used_at)],
  ]);
