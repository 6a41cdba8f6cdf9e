import type { Application, Request, RequestHandler, Response } from "express";
import { readFormBody } from "../../api/body.ts";
import { problemFor, setRetryAfter } from "../../api/problem-answer.ts";
import { routeForm } from "../../api/routes.ts";
import type { EntryContext } from "../../platform/context.ts";
import { clientAddressOf } from "../../platform/http/client-address.ts";
import { readAsked } from "../../suppression/requests/asked.ts";
import { requestRemoval } from "../../suppression/requests/request.ts";
import { sendSitePage } from "../frame/frame.ts";
import { linkTo } from "../frame/links.ts";
import { type Html, html } from "../kit/html.ts";
import { donePage, FIELDS, formPage, type Typed } from "./form.ts";

const TITLE = "Have a business removed";

/**
 * Routes the form at /remove. It does the same as POST /v1/opt-out, with the same limits. There is no session, so the form
 * needs no token. But a page of another site must not send requests from its visitors' addresses.
 */
export function routeRemovalPage(app: Application, context: EntryContext): void {
  const show: RequestHandler = (_request, response) =>
    sendPage(context, response, { status: 200, title: TITLE, body: formPage() });
  routeForm(app, context, "/remove", "remove", { show, submit: submission(context) });
}

function sendPage(
  context: EntryContext,
  response: Response,
  { body, ...page }: { status: number; title: string; body: Html },
): void {
  response.setHeader("Referrer-Policy", "no-referrer");
  sendSitePage(context, response, "form", {
    ...page,
    here: "/remove",
    body: html`${body}
<p class="hint">Programs use <code>POST /v1/opt-out</code>: see the <a href="${linkTo(context, "/docs")}">reference</a>.</p>`,
  });
}

const submission =
  (context: EntryContext): RequestHandler =>
  async (request, response) => {
    let typed: Typed | undefined;
    try {
      typed = typedOf(await readFormBody(request));
      await submit(context, request, response, typed);
    } catch (error) {
      const problem = problemFor(context, response, error);
      const status = setRetryAfter(response, problem);
      const body = formPage({ ...(typed && { typed }), trouble: problem.message });
      sendPage(context, response, { status, title: `Not recorded: ${TITLE}`, body });
    }
  };

async function submit(
  context: EntryContext,
  request: Request,
  response: Response,
  typed: Typed,
): Promise<void> {
  if (isFromAnotherSite(request)) {
    const trouble = "This form was sent from a page of another site. Send it from here.";
    sendPage(context, response, { status: 403, title: TITLE, body: formPage({ typed, trouble }) });
    return;
  }
  const { mistakes } = readAsked(typed);
  if (mistakes.length > 0) {
    const body = formPage({ typed, mistakes });
    sendPage(context, response, { status: 400, title: `Not recorded: ${TITLE}`, body });
    return;
  }
  const address = clientAddressOf(request, context.config.trustProxyHops);
  const { request_id } = await requestRemoval(context, address, typed);
  sendPage(context, response, { status: 200, title: "Your request is recorded", body: donePage(request_id) });
}

const typedOf = (form: URLSearchParams): Typed =>
  Object.fromEntries(FIELDS.map((field) => [field, form.get(field) ?? ""])) as Typed;

/** Browsers name the sending site in this header; other programs do not send it. */
const isFromAnotherSite = (request: Request): boolean =>
  !["same-origin", "none", undefined].includes(request.get("sec-fetch-site"));
