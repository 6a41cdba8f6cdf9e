import type { Request, RequestHandler, Response } from "express";
import { SESSION_SECONDS } from "../../accounts/sessions/sessions.ts";
import type { EntryContext } from "../../platform/context.ts";
import { ProblemError } from "../../platform/http/problem.ts";
import { type OperatorSession, operatorSessionOf } from "../../watch/operator-sign-in.ts";
import { problemOf, type ShownProblem } from "../dashboard/problem-page.ts";
import { brand, sendFramed, timeChoice } from "../frame/frame.ts";
import { linkTo } from "../frame/links.ts";
import { isFormToken, isSentFromHere, sessionCookie } from "../frame/session-guard.ts";
import { type Html, html } from "../kit/html.ts";
import { errorNotice } from "../kit/notice.ts";

/** The cookie of the operator's session, which a customer's session does not have. */
export const operatorCookie = sessionCookie("tdf_operator", SESSION_SECONDS);

interface AdminPage {
  status?: number;
  title: string;
  body: Html;
  session?: OperatorSession;
}

/** Sends a page of the operator's. No search engine may list it, and no page for customers links to it. */
export function sendAdminPage(
  context: EntryContext,
  response: Response,
  { body, session, ...page }: AdminPage,
): void {
  response.setHeader("X-Robots-Tag", "noindex, nofollow");
  response.setHeader("Referrer-Policy", "same-origin");
  response.setHeader("X-Frame-Options", "DENY");
  const main = html`<main id="content">
${body}
</main>`;
  sendFramed(context, response, "admin", {
    ...page,
    body: html`<header class="top">
${brand(linkTo(context, "/admin"))}
${session && signOut(context, session)}
</header>
${session ? main : html`<div class="entrance">${main}</div>`}
<footer class="page-foot">
${timeChoice}
</footer>`,
  });
}

const signOut = (
  context: EntryContext,
  { formToken }: OperatorSession,
): Html => html`<form class="end" method="post" action="${linkTo(context, "/admin/sign-out")}">
<input type="hidden" name="form_token" value="${formToken}">
<button class="quiet small">Sign out</button>
</form>`;

/** Handles a request of an operator who is signed in; anybody else is led to the sign-in. */
export const forOperator = (
  context: EntryContext,
  handle: (request: Request, response: Response, session: OperatorSession) => Promise<void>,
): RequestHandler =>
  forAnybody(context, async (request, response) => {
    const session = await operatorSessionOf(context, operatorCookie.read(context, request));
    if (session !== null) return handle(request, response, session);
    response.redirect(303, linkTo(context, "/admin/sign-in"));
  });

/** Handles a request of anybody. A change that a page of another site sends is refused. An error becomes a page. */
export const forAnybody =
  (context: EntryContext, handle: (request: Request, response: Response) => Promise<void>): RequestHandler =>
  async (request, response) => {
    const isChange = !["GET", "HEAD"].includes(request.method);
    if (isChange && !isSentFromHere(context, request)) return sendProblem(context, response, FROM_ELSEWHERE);
    try {
      await handle(request, response);
    } catch (error) {
      const problem = problemOf(error);
      const requestId = requestIdOf(response);
      if (problem.status === 500) context.log.error({ err: error, requestId }, "An operator's page failed.");
      if (error instanceof ProblemError && error.retryAfterSeconds !== null)
        response.setHeader("Retry-After", String(error.retryAfterSeconds));
      sendProblem(context, response, problem);
    }
  };

const FROM_ELSEWHERE: ShownProblem = {
  status: 403,
  title: "Not sent from this page",
  detail: "This form was not sent from a page of this service, so nothing was changed.",
};

const TOO_OLD: ShownProblem = {
  status: 403,
  title: "This page is too old",
  detail: "You have signed in again since this page was loaded, so nothing was changed. Load the page again.",
};

/** Whether a form carries its session's token; otherwise a page says that nothing was changed. */
export function requireFormToken(
  context: EntryContext,
  response: Response,
  { form, session }: { form: URLSearchParams; session: OperatorSession },
): boolean {
  const isSent = isFormToken(form.get("form_token") ?? "", session.formToken);
  if (!isSent) sendProblem(context, response, TOO_OLD, session);
  return isSent;
}

const requestIdOf = (response: Response): string => String(response.getHeader("X-Request-Id") ?? "");

/** Sends a page about a problem. */
export function sendProblem(
  context: EntryContext,
  response: Response,
  { status, title, detail }: ShownProblem,
  session?: OperatorSession,
): void {
  sendAdminPage(context, response, {
    status,
    title,
    ...(session && { session }),
    body: html`<h1>${title}</h1>
${errorNotice(detail)}
${status >= 500 && html`<p>Request <code>${requestIdOf(response)}</code></p>`}
<p><a class="button quiet" href="${linkTo(context, "/admin")}">Go to the operator's page</a></p>`,
  });
}
