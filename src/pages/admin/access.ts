import type { IRouter, Request, Response } from "express";
import { declineAccess, grantAccess } from "../../accounts/access/decide.ts";
import { type AccessShown, findAccess, WAITING_PLAN } from "../../accounts/access/requests.ts";
import { listPlans, type PlanShown } from "../../accounts/plans/plans.ts";
import { readFormBody } from "../../api/body.ts";
import { routePage, routePost } from "../../api/routes.ts";
import type { EntryContext } from "../../platform/context.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { logged } from "../../platform/operator-log/operator-log.ts";
import type { OperatorSession } from "../../watch/operator-sign-in.ts";
import { endWhole } from "../../webhooks/endpoints/pause-or-delete.ts";
import { linkTo } from "../frame/links.ts";
import { badge } from "../kit/badge.ts";
import { choice, field } from "../kit/field.ts";
import { type Html, html } from "../kit/html.ts";
import { backTo } from "../kit/navigation.ts";
import { errorNotice, notice } from "../kit/notice.ts";
import { facts } from "../kit/table.ts";
import { shownTime } from "../kit/time.ts";
import { forOperator, requireFormToken, sendAdminPage, sendProblem } from "./admin-page.ts";

const PATH = "/admin/access/:id";

/** Routes the page of a request for access, with the forms that grant and decline it. */
export function routeAdminAccess(app: IRouter, context: EntryContext): void {
  routePage(
    app,
    context,
    PATH,
    "admin",
    forOperator(context, async (request, response, session) => {
      await sendAccess(context, response, session, { id: idOf(request) });
    }),
  );
  const decision = (
    name: "grant" | "decline",
    decide: (id: number, form: URLSearchParams) => Promise<unknown>,
  ) =>
    routePost(
      app,
      context,
      `${PATH}/${name}`,
      "admin",
      forOperator(context, async (request, response, session) => {
        const form = await readFormBody(request);
        if (!requireFormToken(context, response, { form, session })) return;
        const id = idOf(request);
        const command = { command: `access ${name}`, words: [String(id), "at", "/admin"] };
        try {
          await logged(context, command, () => decide(id, form));
        } catch (error) {
          if (!(error instanceof OperatorError)) throw error;
          return sendAccess(context, response, session, { id, refused: { name, form, why: error.message } });
        }
        response.redirect(303, linkTo(context, `/admin/access/${id}`));
      }),
    );
  decision("grant", (id, form) => grantAccess(context, id, form.get("plan") ?? ""));
  decision("decline", (id, form) => declineAccess(context, id, form.get("reason") ?? "", endWhole));
}

/** A decision that was not made: the form that was sent, and why. */
interface Refused {
  name: "grant" | "decline";
  form: URLSearchParams;
  why: string;
}

async function sendAccess(
  context: EntryContext,
  response: Response,
  session: OperatorSession,
  { id, refused }: { id: number; refused?: Refused },
): Promise<void> {
  const asked = await findAccess(context, id);
  if (asked === null) return sendProblem(context, response, NO_REQUEST, session);
  const body = accessPage(context, session, { asked, plans: await listPlans(context), refused });
  const status = refused === undefined ? 200 : 400;
  sendAdminPage(context, response, { status, title: `Request for access ${asked.id}`, body, session });
}

const NO_REQUEST = { status: 404, title: "Not found", detail: "There is no such request for access." };

/** The number in the address; 0, which no request has, when it is none. */
function idOf(request: Request): number {
  const { id = "" } = request.params as { id?: string };
  return /^[1-9]\d{0,8}$/.test(id) ? Number(id) : 0;
}

/** The state of a request in a coloured word. */
const accessBadge = {
  unconfirmed: badge("plain", "not confirmed"),
  waiting: badge("warn", "waits"),
  granted: badge("good", "granted"),
  declined: badge("plain", "declined"),
} as const;

const accessPage = (
  context: EntryContext,
  session: OperatorSession,
  {
    asked,
    plans,
    refused,
  }: { asked: AccessShown; plans: readonly PlanShown[]; refused: Refused | undefined },
): Html => html`${backTo(linkTo(context, "/admin"), "State of the service")}<h1>Request for access ${asked.id}</h1>
${refused && errorNotice(refused.why)}
${facts([
  ["State", accessBadge[asked.state]],
  ["Name", asked.name],
  ["Company", asked.company],
  ["E-mail", asked.email],
  ["What for", asked.purpose],
  ["Plan of interest", asked.wished_plan],
  ["Requested", shownTime(asked.requested_at)],
  ["Address confirmed", shownTime(asked.confirmed_at)],
  ["Account", asked.account_id === null ? null : String(asked.account_id)],
  ["Decided", shownTime(asked.decided_at)],
  asked.granted_plan !== null && ["Plan granted", asked.granted_plan],
  asked.reason !== null && ["Reason", asked.reason],
])}
${asked.state === "waiting" && decisionForms(context, session, { asked, plans, refused })}`;

function decisionForms(
  context: EntryContext,
  { formToken }: OperatorSession,
  {
    asked: { id, wished_plan },
    plans,
    refused,
  }: { asked: AccessShown; plans: readonly PlanShown[]; refused: Refused | undefined },
): Html {
  const token = html`<input type="hidden" name="form_token" value="${formToken}">`;
  const address = (name: string) => linkTo(context, `/admin/access/${id}/${name}`);
  const wrong = (name: Refused["name"]) => refused?.name === name && { error: refused.why, hasFocus: true };
  const choices = plans
    .filter(({ code }) => code !== WAITING_PLAN)
    .map(({ code, name }) => [code, `${name} (${code})`] as const);
  return html`<h2>Grant it</h2>
${
  choices.length === 0
    ? notice("info", html`There is no plan yet: <code>tdf plan apply</code> makes one.`)
    : html`<form class="stack" method="post" action="${address("grant")}">
${token}
${choice({ name: "plan", label: "Plan", value: refused?.form.get("plan") ?? wished_plan ?? "", choices, ...wrong("grant") })}
<p class="hint">The account is on that plan from its next request on, and the person gets a mail.</p>
<button>Grant access</button>
</form>`
}
<h2>Decline it</h2>
<form class="stack" method="post" action="${address("decline")}">
${token}
${field({ name: "reason", label: "Reason", value: refused?.form.get("reason") ?? "", ...wrong("decline"), hint: "A sentence that will be mailed to the person. The account will be closed and erased.", maxLength: 500, isRequired: true })}
<button class="danger">Decline</button>
</form>`;
}
