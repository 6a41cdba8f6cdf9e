// The way in for strangers at /request-access: a form, a mailed link, and an account that waits for the operator's word.
import type { IRouter, Request, RequestHandler, Response } from "express";
import { type AskedAccess, MOST_CHARACTERS, readAskedAccess } from "../../accounts/access/asked.ts";
import { confirmAccess } from "../../accounts/access/confirm.ts";
import { isAccessLink, requestAccess } from "../../accounts/access/request.ts";
import { listedPlans } from "../../accounts/plans/plans.ts";
import { readFormBody } from "../../api/body.ts";
import { problemFor, setRetryAfter } from "../../api/problem-answer.ts";
import { routeForm } from "../../api/routes.ts";
import type { EntryContext } from "../../platform/context.ts";
import { clientAddressOf } from "../../platform/http/client.ts";
import { createTestKey } from "../../testmode/test-keys.ts";
import type { MadeKey } from "../dashboard/pages/keys/key-parts.ts";
import { addressWithNote } from "../dashboard/parts/after-action.ts";
import { setSessionCookie } from "../dashboard/session-cookie.ts";
import { sendSitePage } from "../frame/frame.ts";
import { dashboardLink, linkTo } from "../frame/links.ts";
import { isSentFromHere } from "../frame/session-guard.ts";
import type { Html } from "../kit/html.ts";
import { accessForm, confirmation, linkIsOver, linkSent, TRAP, type TypedAccess } from "./access-form.ts";

const PATH = "/request-access";
const TITLE = "Request access";

/** Routes the form and the mailed link. */
export function routeAccess(app: IRouter, context: EntryContext): void {
  routeForm(app, context, PATH, "access", {
    show: async (request, response) => {
      const { searchParams } = new URL(request.originalUrl, "http://local");
      if (searchParams.has("sent")) {
        return sendPage(context, response, { title: "Check your mail", body: linkSent(context) });
      }
      const typed = { ...NOTHING_TYPED, plan: searchParams.get("plan") ?? "" };
      const body = accessForm(context, { plans: await listedPlans(context), typed });
      sendPage(context, response, { title: TITLE, body });
    },
    submit: submission(context),
  });
  routeForm(app, context, `${PATH}/:token`, "access", {
    show: async (request, response) => {
      if (!(await isAccessLink(context, tokenOf(request)))) return sendExpired(context, response);
      sendPage(context, response, { title: "Confirm your address", body: confirmation });
    },
    submit: async (request, response) => {
      const isHere = isSentFromHere(context, request);
      const confirmed = isHere ? await confirmAccess(context, tokenOf(request)) : null;
      if (confirmed === null) return sendExpired(context, response);
      const { accountId, isNew, session } = confirmed;
      setSessionCookie(context, response, session);
      const address = isNew ? await withTestKey(context, accountId, session) : null;
      response.redirect(303, address ?? dashboardLink(context, "/"));
    },
  });
}

/**
 * Makes the test key of a new account. Returns the address of the page that shows it once; null when test mode can't be had,
 * for the account is open in any case.
 */
async function withTestKey(
  context: EntryContext,
  accountId: number,
  sessionToken: string,
): Promise<string | null> {
  try {
    const { key } = await createTestKey(context, accountId, "Test");
    const note: MadeKey = { key };
    return await addressWithNote(context, sessionToken, { address: dashboardLink(context, "/keys"), note });
  } catch (err) {
    context.log.error({ err, accountId }, "A new account could not get its test key.");
    return null;
  }
}

const tokenOf = (request: Request): string => (request.params as { token: string }).token;

const submission =
  (context: EntryContext): RequestHandler =>
  async (request, response) => {
    let typed = NOTHING_TYPED;
    const plans = await listedPlans(context);
    try {
      const form = await readFormBody(request);
      typed = typedOf(form);
      const { asked, mistakes } = readAskedAccess(typed);
      const trouble = isSentFromHere(context, request) ? undefined : FROM_ELSEWHERE;
      if (trouble !== undefined || mistakes.length > 0) {
        const body = accessForm(context, { plans, typed, mistakes, ...(trouble && { trouble }) });
        const status = trouble === undefined ? 400 : 403;
        return sendPage(context, response, { status, title: `Not sent: ${TITLE}`, body });
      }
      if (form.get(TRAP) === "") await requestIt(context, request, asked, plans, typed.plan);
      response.redirect(303, `${linkTo(context, PATH)}?sent`);
    } catch (error) {
      const problem = problemFor(context, response, error);
      const status = setRetryAfter(response, problem);
      const body = accessForm(context, { plans, typed, trouble: problem.message });
      sendPage(context, response, { status, title: `Not sent: ${TITLE}`, body });
    }
  };

const FROM_ELSEWHERE = "This form was sent from a page of another site. Send it from here.";

function requestIt(
  context: EntryContext,
  request: Request,
  asked: AskedAccess,
  plans: readonly { code: string }[],
  plan: string,
): Promise<void> {
  const client = clientAddressOf(request, context.config.trustProxyHops);
  const wishedPlan = plans.some(({ code }) => code === plan) ? plan : null;
  return requestAccess(context, client, asked, wishedPlan);
}

const NOTHING_TYPED: TypedAccess = { name: "", company: "", email: "", purpose: "", plan: "" };

const typedOf = (form: URLSearchParams): TypedAccess => ({
  ...(Object.fromEntries(
    Object.keys(MOST_CHARACTERS).map((name) => [name, form.get(name) ?? ""]),
  ) as unknown as AskedAccess),
  plan: form.get("plan") ?? "",
});

const sendExpired = (context: EntryContext, response: Response): void =>
  sendPage(context, response, { status: 410, title: "This link has expired", body: linkIsOver(context) });

function sendPage(
  context: EntryContext,
  response: Response,
  page: { status?: number; title: string; body: Html },
): void {
  // The address of a link's page is a secret.
  response.setHeader("Referrer-Policy", "same-origin");
  sendSitePage(context, response, "form", page);
}
