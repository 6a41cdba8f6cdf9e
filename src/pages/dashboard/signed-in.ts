import { timingSafeEqual } from "node:crypto";
import type { Request, RequestHandler, Response } from "express";
import { type Session, sessionOf } from "../../accounts/sessions/sessions.ts";
import type { EntryContext } from "../../platform/context.ts";
import { dashboardLink } from "../frame/links.ts";
import { type ShownProblem, sendProblem } from "./problem-page.ts";
import { readSessionCookie } from "./session-cookie.ts";

/** Handles a request of a person who is signed in. An error becomes a page. */
type SignedInHandler = (request: Request, response: Response, session: Session) => void | Promise<void>;

/** Wraps a handler, so that a person who is not signed in is redirected to the sign-in page. */
export type Guard = (handle: SignedInHandler) => RequestHandler;

const TOO_OLD: ShownProblem = {
  status: 403,
  title: "This page is too old",
  detail: "You have signed in again since this page was loaded, so nothing was changed. Load the page again.",
};

/** Creates the guard. It checks the session's cookie, and for a change also the session's form token. */
export const guardOf =
  (context: EntryContext): Guard =>
  (handle) =>
  async (request, response) => {
    const session = await sessionOf(context, readSessionCookie(context, request));
    if (session === null) {
      response.redirect(303, dashboardLink(context, "/sign-in"));
      return;
    }
    if (request.method === "POST" && !carries(request, session.formToken)) {
      sendProblem(context, response, TOO_OLD, session);
      return;
    }
    try {
      await handle(request, response, session);
    } catch (error) {
      sendProblem(context, response, error, session);
    }
  };

function carries(request: Request, formToken: string): boolean {
  const sent = Buffer.from(String((request.body as Record<string, unknown> | undefined)?.form_token ?? ""));
  const expected = Buffer.from(formToken);
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}
