import type { Request, Response } from "express";
import { SESSION_SECONDS } from "../../accounts/sessions/sessions.ts";
import type { EntryContext } from "../../platform/context.ts";

const isHttps = ({ config }: EntryContext): boolean => config.publicUrl.startsWith("https:");

// The prefix makes browsers refuse the cookie from any other host and over plain HTTP.
const nameOf = (context: EntryContext): string => (isHttps(context) ? "__Host-tdf_session" : "tdf_session");

const attributesOf = (context: EntryContext) =>
  ({ path: "/", httpOnly: true, sameSite: "lax", secure: isHttps(context) }) as const;

/** The session's token that the browser sent. */
export function readSessionCookie(context: EntryContext, request: Request): string | undefined {
  const prefix = `${nameOf(context)}=`;
  const pairs = (request.get("cookie") ?? "").split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(prefix))?.slice(prefix.length);
}

export function setSessionCookie(context: EntryContext, response: Response, token: string): void {
  response.cookie(nameOf(context), token, { ...attributesOf(context), maxAge: SESSION_SECONDS * 1000 });
}

export function clearSessionCookie(context: EntryContext, response: Response): void {
  response.clearCookie(nameOf(context), attributesOf(context));
}
