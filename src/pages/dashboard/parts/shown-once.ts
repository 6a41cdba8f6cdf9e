import type { Request, Response } from "express";
import { leaveNote, takeNote } from "../../../accounts/sessions/session-notes.ts";
import type { EntryContext } from "../../../platform/context.ts";
import { readSessionCookie } from "../session-cookie.ts";
import { queryOf } from "./form-fields.ts";

const PARAMETER = "shown_once";

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
  const name = await leaveNote(context, readSessionCookie(context, request) ?? "", JSON.stringify(note));
  response.redirect(303, `${address}${address.includes("?") ? "&" : "?"}${PARAMETER}=${name}`);
}

/** The note that the page's address names: "gone" when it was already shown, null when the address names none. */
export async function noteOf<Note extends object>(
  context: EntryContext,
  request: Request,
): Promise<Note | "gone" | null> {
  const name = queryOf(request).get(PARAMETER);
  if (name === null) return null;
  const text = await takeNote(context, readSessionCookie(context, request) ?? "", name);
  return text === null ? "gone" : (JSON.parse(text) as Note);
}
