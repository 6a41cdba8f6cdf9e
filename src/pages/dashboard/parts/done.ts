import type { Request } from "express";
import type { Html } from "../../kit/html.ts";
import { toast } from "../../kit/notice.ts";
import { queryOf } from "./form-fields.ts";

/** What an action has done, as the page after it says. The address names it; it never holds the sentence itself. */
const SENTENCES = {
  revoked: "The key is revoked. Requests with it are refused from now on.",
  "signed-out": "You are signed out.",
  "signed-out-everywhere": "You are signed out everywhere.",
  paused: "The endpoint is paused. Nothing more is sent to it.",
  enabled: "The endpoint is enabled again. It gets the events that come from now on.",
  saved: "The endpoint was saved.",
  deleted: "The endpoint was deleted.",
  resent: "The delivery is queued again.",
} as const;

type Done = keyof typeof SENTENCES;

const PARAMETER = "done";

/** The address of the page that follows an action. */
export const addressAfter = (address: string, done: Done): string => `${address}?${PARAMETER}=${done}`;

/** The message about the action that the page's address names; null when it names none. */
export function doneToast(request: Request): Html | null {
  const done = queryOf(request).get(PARAMETER) ?? "";
  return Object.hasOwn(SENTENCES, done) ? toast(SENTENCES[done as Done]) : null;
}
