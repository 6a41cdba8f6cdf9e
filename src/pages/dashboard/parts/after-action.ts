import type { Request, Response } from "express";
import { leaveNote, takeNote } from "../../../accounts/sessions/sessions.ts";
import type { EntryContext } from "../../../platform/context.ts";
import type { Html } from "../../kit/html.ts";
import { toast } from "../../kit/notice.ts";
import { readSessionCookie } from "../session-cookie.ts";
import { queryOf } from "./form-fields.ts";

/** What an action has done, as the page after it says. The address names it; it never holds the sentence itself. */
const SENTENCES = {
  revoked: "The key is revoked. Requests with it are refused from now on.",
  "signed-out": "You are signed out.",
  "session-ended": "You were not signed in any more, so nothing was changed. Sign in and send it again.",
  "signed-out-everywhere": "You are signed out everywhere.",
  paused: "The endpoint is paused. Nothing more is sent to it.",
  enabled: "The endpoint is enabled again. It gets the events that come from now on.",
  saved: "The endpoint was saved.",
  deleted: "The endpoint was deleted.",
  resent: "The delivery is queued again.",
  "list-made": "The list is made. Add carriers to it here.",
  "list-saved": "The list was saved.",
  "list-deleted": "The list was deleted.",
  "view-saved": "The view is saved. You find it here and on the page Feeds.",
  "view-deleted": "The view was deleted.",
  "mail-on": "The daily mail is on. It begins with the next day of the registry.",
  "mail-off": "The daily mail is off.",
  invited: "The invitation is mailed.",
  "invitation-withdrawn": "The invitation is withdrawn. Its link no longer works.",
  "role-changed": "The role is changed.",
  "person-removed": "The person is removed and signed out.",
  left: "You have left the account.",
} as const;

type Done = keyof typeof SENTENCES;

const DONE = "done";

const withQuery = (address: string, more: string): string => {
  const [page = "", part] = address.split("#");
  return `${page}${page.includes("?") ? "&" : "?"}${more}${part === undefined ? "" : `#${part}`}`;
};

/** The address of the page that follows an action. */
export const addressAfter = (address: string, done: Done): string => withQuery(address, `${DONE}=${done}`);

/** The message about the action that the page's address names; null when it names none. */
export function doneToast(request: Request): Html | null {
  const done = queryOf(request).get(DONE) ?? "";
  return Object.hasOwn(SENTENCES, done) ? toast(SENTENCES[done as Done]) : null;
}

const NOTE = "shown_once";

/**
 * Redirects the browser after a change to the page at `address`, which shows `note` once. Loading that page again neither
 * repeats the change nor shows the note. The address only holds a random name of the note.
 */
export async function redirectWithNote(
  context: EntryContext,
  request: Request,
  response: Response,
  { address, note }: { address: string; note: object },
): Promise<void> {
  const token = readSessionCookie(context, request) ?? "";
  response.redirect(303, await addressWithNote(context, token, { address, note }));
}

/** The address of a page that shows a note once to the session of this token. */
export async function addressWithNote(
  context: EntryContext,
  sessionToken: string,
  { address, note }: { address: string; note: object },
): Promise<string> {
  const name = await leaveNote(context, sessionToken, JSON.stringify(note));
  return withQuery(address, `${NOTE}=${name}`);
}

/** The note that the page's address names: "gone" when it was already shown, null when the address names none. */
export async function noteOf<Note extends object>(
  context: EntryContext,
  request: Request,
): Promise<Note | "gone" | null> {
  const name = queryOf(request).get(NOTE);
  if (name === null) return null;
  const text = await takeNote(context, readSessionCookie(context, request) ?? "", name);
  return text === null ? "gone" : (JSON.parse(text) as Note);
}
