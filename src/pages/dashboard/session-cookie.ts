import type { Request, Response } from "express";
import { SESSION_SECONDS } from "../../accounts/sessions/sessions.ts";
import type { EntryContext } from "../../platform/context.ts";

const isHttps = ({ config }: EntryContext): boolean => config.publicUrl.startsWith("https:");

// With the prefix __Host-, browsers accept the cookie only from this host and only over https.
const nameOf = (context: EntryContext): string => (isHttps(context) ? "__Host-tdf_session" : "tdf_session");

const attributesOf = (context: EntryContext) =>
  ({ path: "/", httpOnly: true, sameSite: "lax", secure: isHttps(context) }) as const;

/** The session's token from the browser's cookie. */
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
