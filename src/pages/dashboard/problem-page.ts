import type { Response } from "express";
import type { Session } from "../../accounts/sessions/sessions.ts";
import { hasClientLeft } from "../../api/problem-answer.ts";
import { problems } from "../../generated/problems.ts";
import type { EntryContext } from "../../platform/context.ts";
import { DatabaseUnavailableError, toDatabaseError } from "../../platform/database/database-error.ts";
import { InvalidRequestError } from "../../platform/http/invalid-request.ts";
import { OutdatedPageError } from "../../platform/http/outdated-page.ts";
import { ProblemError } from "../../platform/http/problem.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { dashboardLink, linkTo } from "../frame/links.ts";
import { type Html, html } from "../kit/html.ts";
import { errorNotice } from "../kit/notice.ts";
import { sendPage } from "./dashboard-page.ts";
import { whomToAsk } from "./plan-note.ts";

/** A problem as a page shows it. */
export interface ShownProblem {
  status: number;
  title: string;
  detail: string;
}

export const PAGE_TOO_OLD = "This page is too old";

/** The problem to show for an error. Errors meant for customers keep their text; others only say that something failed. */
export function problemOf(error: unknown): ShownProblem {
  if (error instanceof ProblemError) {
    const { status, title } = problems[error.code];
    return { status, title: isStale(error) ? "Stale, not served" : title, detail: error.message };
  }
  if (error instanceof InvalidRequestError) {
    const detail = error.faults.map(({ loc, msg }) => `${loc.slice(1).join(" ")} ${msg}`).join("; ");
    return { status: 422, title: "Invalid input", detail: `${detail}.` };
  }
  if (error instanceof OutdatedPageError) return { status: 409, title: PAGE_TOO_OLD, detail: error.message };
  if (error instanceof OperatorError) return { status: 400, title: "Invalid input", detail: error.message };
  if (toDatabaseError(error) instanceof DatabaseUnavailableError) {
    return {
      status: 503,
      title: "Temporarily unavailable",
      detail: "The service cannot answer at the moment. Wait a few seconds and load the page again.",
    };
  }
  const status = (error as { status?: unknown } | null)?.status;
  if (status === 413) {
    return {
      status,
      title: "Too large",
      detail:
        "The form is too large, so nothing was changed. Go back, leave something out and send it again.",
    };
  }
  if (typeof status === "number" && status >= 400 && status < 500) {
    return {
      status,
      title: "Invalid input",
      detail: "The form could not be read. Go back and send it again.",
    };
  }
  return {
    status: 500,
    title: "Internal error",
    detail: "The service failed. Try again. If it fails again, tell us the request number below.",
  };
}

const isStale = (error: unknown): boolean => error instanceof ProblemError && error.code === "stale_source";

/** Sends a page about an error, with the menu if a person is signed in. An unexpected error is logged. */
export function sendProblem(
  context: EntryContext,
  response: Response,
  error: unknown,
  session: Session | null = null,
): void {
  const requestId = String(response.getHeader("X-Request-Id") ?? "");
  if (hasClientLeft(response, error)) {
    context.log.debug({ err: error, requestId }, "An answer broke off.");
    response.destroy();
    return;
  }
  const problem = isShown(error) ? error : problemOf(error);
  if (problem.status === 500) context.log.error({ err: error, requestId }, "A page of the dashboard failed.");
  if (response.headersSent) {
    response.destroy();
    return;
  }
  if (error instanceof ProblemError && error.retryAfterSeconds !== null) {
    response.setHeader("Retry-After", String(error.retryAfterSeconds));
  }
  sendPage(context, response, {
    status: problem.status,
    title: problem.title,
    ...(session && { session }),
    body: html`<h1>${problem.title}</h1>
${errorNotice(problem.detail)}
${isStale(error) && html`<p>If it lasts, ${whomToAsk(context, "Stale data")}.</p>`}
${problem.status >= 500 && html`<p>Request <code>${requestId}</code></p>`}
${session && error instanceof ProblemError && html`<p><a href="${linkTo(context, `/problems/${error.code}`)}">What this problem means</a></p>`}
<p class="row">${wayOn(context, response, { isOurs: problem.status >= 500, isSignedIn: session !== null })}</p>`,
  });
}

/** Where a person can go from a problem: to the same page again if the fault is ours, or to the first page. */
function wayOn(
  context: EntryContext,
  { req: request }: Response,
  { isOurs, isSignedIn }: { isOurs: boolean; isSignedIn: boolean },
): Html {
  const [path, name] = isSignedIn ? ["/", "Go to the overview"] : ["/sign-in", "Go to the sign-in page"];
  return html`${isOurs && request.method === "GET" && html`<a class="button" href="">Load the page again</a>`}
${(isSignedIn || !isOurs) && html`<a class="button quiet" href="${dashboardLink(context, path)}">${name}</a>`}`;
}

const isShown = (error: unknown): error is ShownProblem =>
  !(error instanceof Error) && typeof (error as ShownProblem | null)?.detail === "string";
