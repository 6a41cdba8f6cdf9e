import type { Request, Response } from "express";
import type { EntryContext } from "../../platform/context.ts";
import { dashboardLink } from "../frame/links.ts";
import { isSentFromHere, sessionCookie } from "../frame/session-guard.ts";

const cookie = sessionCookie("tdf_page", 60 * 60);

/** Browsers drop a cookie of more than 4096 bytes. */
const LONGEST = 2000;

/** The overview needs no remembering, and the choice of an account leads on itself. */
const NOT_REMEMBERED = /^\/?(?:accounts)?(?:[?#]|$)/;

/**
 * Remembers the page that a person without a session asked for, in their browser. Of a change or a download, it is the page
 * that started it: signing in must neither repeat the one nor charge for the other.
 */
export function rememberPage(
  context: EntryContext,
  request: Request,
  response: Response,
  { isPage }: { isPage: boolean },
): void {
  const path = isPage ? request.url : pageBefore(context, request);
  if (path === null || NOT_REMEMBERED.test(path) || path.length > LONGEST) {
    if (isPage) forgetPage(context, request, response);
    return;
  }
  cookie.set(context, response, Buffer.from(path).toString("base64url"));
}

/** The page of the dashboard that sent a request, without the dashboard's own path; null when another page did. */
function pageBefore(context: EntryContext, request: Request): string | null {
  const { pathname = "", search = "" } = URL.parse(request.get("referer") ?? "") ?? {};
  const first = `${dashboardLink(context, "/")}/`;
  if (!isSentFromHere(context, request) || !pathname.startsWith(first)) return null;
  return pathname.slice(first.length - 1) + search;
}

/** Forgets it, once the person is on a page. */
export function forgetPage(context: EntryContext, request: Request, response: Response): void {
  if (cookie.read(context, request) !== undefined) cookie.clear(context, response);
}

/** The link to the remembered page, or to the overview. Whatever the cookie holds, it leads to no other site. */
export function landingLink(context: EntryContext, request: Request): string {
  const path = Buffer.from(cookie.read(context, request) ?? "", "base64url").toString();
  return dashboardLink(context, path.startsWith("/") ? path : "/");
}
