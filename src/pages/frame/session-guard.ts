// What keeps a session its owner's: its cookie, and the proof that a change was sent from a page of this service.
import { timingSafeEqual } from "node:crypto";
import type { Request, Response } from "express";
import type { EntryContext } from "../../platform/context.ts";

const isHttps = ({ config }: EntryContext): boolean => config.publicUrl.startsWith("https:");

const attributesOf = (context: EntryContext) =>
  ({ path: "/", httpOnly: true, sameSite: "lax", secure: isHttps(context) }) as const;

/** The cookie of one kind of session. */
export function sessionCookie(name: string, lifetimeSeconds: number) {
  // With the prefix __Host-, browsers accept the cookie only from this host and only over https.
  const nameOf = (context: EntryContext): string => (isHttps(context) ? `__Host-${name}` : name);
  return {
    /** The session's token from the browser's cookie. */
    read: (context: EntryContext, request: Request): string | undefined => {
      const prefix = `${nameOf(context)}=`;
      const pairs = (request.get("cookie") ?? "").split(";").map((pair) => pair.trim());
      return pairs.find((pair) => pair.startsWith(prefix))?.slice(prefix.length);
    },
    set: (context: EntryContext, response: Response, token: string): void => {
      response.cookie(nameOf(context), token, { ...attributesOf(context), maxAge: lifetimeSeconds * 1000 });
    },
    clear: (context: EntryContext, response: Response): void => {
      response.clearCookie(nameOf(context), attributesOf(context));
    },
  };
}

/** Whether the token that a form carries is the session's. */
export function isFormToken(sent: string, expected: string): boolean {
  const [one, other] = [Buffer.from(sent), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Whether a change was sent by a page of this site, by the headers that browsers set. */
export function isSentFromHere(context: EntryContext, request: Request): boolean {
  const site = request.get("sec-fetch-site") ?? "same-origin";
  return site === "same-origin" && !hasForeignOrigin(context, request);
}

/** Whether a link on a page of another site led here, by the header that browsers set. */
export const isLinkOfOtherSite = (request: Request): boolean =>
  ["cross-site", "same-site"].includes(request.get("sec-fetch-site") ?? "");

/** Whether the header Origin names another site, or none (`null`). */
export function hasForeignOrigin({ config }: EntryContext, request: Request): boolean {
  const origin = request.get("origin");
  if (origin === undefined || origin === new URL(config.publicUrl).origin) return false;
  // Without a proxy in front, people may use another name of this machine than PUBLIC_URL.
  return URL.parse(origin)?.host !== request.get("host");
}
