import type { Request, RequestHandler, Response, Router } from "express";
import { requireNotSuspended } from "../../accounts/keys/caller.ts";
import { SESSION_SECONDS, type Session, sessionOf } from "../../accounts/sessions/sessions.ts";
import type { EntryContext } from "../../platform/context.ts";
import { dashboardLink } from "../frame/links.ts";
import { isFormToken, isSentFromHere, sessionCookie } from "../frame/session-guard.ts";
import { type ShownProblem, sendProblem } from "./problem-page.ts";

/** Handles a request of a person who is signed in. An error becomes a page. */
type SignedInHandler = (request: Request, response: Response, session: Session) => void | Promise<void>;

/** Routes for a person who is signed in. Anybody else is redirected to the sign-in page. */
interface SignedInRouter {
  get(path: string, handle: SignedInHandler): void;
  /** `readBody` reads a body that is no plain form, once the session is known. */
  post(path: string, handle: SignedInHandler, readBody?: (request: Request) => Promise<void>): void;
}

/** Routes a part of the dashboard; `router` is for pages that anybody may see. */
export type Routes = (pages: SignedInRouter, context: EntryContext, router: Router) => void;

const TOO_OLD: ShownProblem = {
  status: 403,
  title: "This page is too old",
  detail: "You have signed in again since this page was loaded, so nothing was changed. Load the page again.",
};

/** Adds routes to `router` that check the session's cookie, and for a change also the session's form token. */
export function signedInRouter(router: Router, context: EntryContext): SignedInRouter {
  return {
    get: (path, handle) => void router.get(path, guarded(context, handle)),
    post: (path, handle, readBody) => void router.post(path, guarded(context, handle, readBody)),
  };
}

/** Of a suspended account, only these pages are shown: why it is suspended, and what it used. */
const OPEN_WHILE_SUSPENDED: ReadonlySet<string> = new Set([
  "/",
  "/usage",
  "/sign-out",
  "/sign-out-everywhere",
]);

const guarded =
  (
    context: EntryContext,
    handle: SignedInHandler,
    readBody?: (request: Request) => Promise<void>,
  ): RequestHandler =>
  async (request, response) => {
    const session = await sessionOf(context, readSessionCookie(context, request));
    if (session === null) {
      response.redirect(303, dashboardLink(context, "/sign-in"));
      return;
    }
    try {
      await readBody?.(request);
      if (request.method === "POST" && !carries(request, session.formToken)) {
        sendProblem(context, response, TOO_OLD, session);
        return;
      }
      if (!OPEN_WHILE_SUSPENDED.has(request.path)) requireNotSuspended(session);
      await handle(request, response, session);
    } catch (error) {
      sendProblem(context, response, error, session);
    }
  };

const carries = (request: Request, formToken: string): boolean =>
  isFormToken(String((request.body as Record<string, unknown> | undefined)?.form_token ?? ""), formToken);

export const {
  read: readSessionCookie,
  set: setSessionCookie,
  clear: clearSessionCookie,
} = sessionCookie("tdf_session", SESSION_SECONDS);

/**
 * Refuses every change that a page of another site sends through a visitor's browser, by the headers that browsers set.
 * It is checked before anything else. Forms of a session also carry the session's token.
 */
export function requireSameSite(context: EntryContext): RequestHandler {
  return (request, response, next) => {
    if (request.method === "GET" || request.method === "HEAD") return next();
    if (isSentFromHere(context, request)) return next();
    sendProblem(context, response, {
      status: 403,
      title: "Not sent from this page",
      detail:
        "This form was not sent from a page of this service, so nothing was changed. Open the page here and send it again.",
    });
  };
}
