import type { IRouter, Request, RequestHandler, Response } from "express";
import { readFormBody } from "../api/body.ts";
import { problemFor, setRetryAfter } from "../api/problem-answer.ts";
import { routeForm } from "../api/routes.ts";
import { requestRemovalFromFeeds } from "../feeds/versions/feeds-list.ts";
import type { EntryContext } from "../platform/context.ts";
import { clientAddressOf } from "../platform/http/client.ts";
import { shownCount } from "../platform/plural.ts";
import { LONGEST_DETAILS, type Mistake, type OptOutIn, readAsked } from "../suppression/asked.ts";
import { MOST_BY_CONTACT, MOST_IN_ALL } from "../suppression/matching.ts";
import { REQUESTER_KEPT_DAYS } from "../suppression/requests/request.ts";
import { sendSitePage } from "./frame/frame.ts";
import { linkTo } from "./frame/links.ts";
import { hasForeignOrigin } from "./frame/session-guard.ts";
import * as kit from "./kit/field.ts";
import { type Html, html } from "./kit/html.ts";
import { notice } from "./kit/notice.ts";

const TITLE = "Have a business removed";

/**
 * Routes the form at /remove. It does the same as POST /v1/opt-out, with the same limits. There is no session, so the form
 * needs no token. But a page of another site must not send requests from its visitors' addresses.
 */
export function routeRemovalPage(app: IRouter, context: EntryContext): void {
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
  if (isFromAnotherSite(context, request)) {
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
  const { request_id } = await requestRemovalFromFeeds(context, address, typed);
  sendPage(context, response, { status: 200, title: "Your request is recorded", body: donePage(request_id) });
}

const typedOf = (form: URLSearchParams): Typed =>
  Object.fromEntries(FIELDS.map((field) => [field, form.get(field) ?? ""])) as Typed;

/** Browsers name the sending site in this header; other programs do not send it. */
const isFromAnotherSite = (context: EntryContext, request: Request): boolean =>
  !["same-origin", "none", undefined].includes(request.get("sec-fetch-site")) ||
  // The page asks browsers to send no address of it: then they send `null`.
  (request.get("origin") !== "null" && hasForeignOrigin(context, request));

/** The texts typed into the form, by field. */
type Typed = Record<keyof OptOutIn, string>;
type Field = keyof Typed;

type FieldShown = Pick<kit.Field, "label" | "hint" | "maxLength" | "inputMode" | "autocomplete"> & {
  name: Field;
};

const IDENTIFIERS: readonly FieldShown[] = [
  { name: "usdot", label: "USDOT number", hint: "For example 1234567", maxLength: 64 },
  {
    name: "mc",
    label: "MC number",
    hint: "For example MC-123456. An FF or MX number works, too.",
    maxLength: 64,
  },
  {
    name: "phone",
    label: "Phone number",
    maxLength: 64,
    inputMode: "tel",
    autocomplete: "tel",
    hint: "As filed, for example 512-555-0100",
  },
  {
    name: "email",
    label: "E-mail address",
    maxLength: 254,
    inputMode: "email",
    autocomplete: "email",
    hint: "As filed, for example name@company.com",
  },
];

const CONFIRMATION: FieldShown = {
  name: "requester_email",
  label: "E-mail address for a confirmation (optional)",
  maxLength: 254,
  hint: "We send one mail, which says that the request is recorded.",
  inputMode: "email",
  autocomplete: "email",
};

const NOTHING_TYPED: Typed = { usdot: "", mc: "", phone: "", email: "", requester_email: "", details: "" };
const FIELDS = Object.keys(NOTHING_TYPED) as Field[];

/** What the form shows besides empty fields. */
interface FormState {
  typed?: Typed;
  mistakes?: readonly Mistake[];
  /** Why a correct form could not be recorded. */
  trouble?: string;
}

/** The form with the typed texts and the mistakes in them. */
const formPage = ({ typed = NOTHING_TYPED, mistakes = [], trouble }: FormState = {}): Html => {
  const first = mistakes[0] && shownMistake(mistakes[0]).name;
  const input = (shown: FieldShown) =>
    kit.field({
      autocomplete: "off",
      ...shown,
      value: typed[shown.name],
      error: mistakeOf(shown.name, mistakes),
      hasFocus: shown.name === first,
      isCode: true,
    });
  return html`${alert(mistakes, trouble)}<h1>Have a business removed</h1>
<p>Trucking Data Feed delivers data that the official registry publishes about US trucking companies. If a business should
not be in it, tell us which one. It is free, and you need no account.</p>
<form method="post" action="remove" novalidate>
<fieldset aria-describedby="which">
<legend>Which business</legend>
${mistakes.some((mistake) => mistake.field === null) ? html`<p class="error" id="which">${NOTHING_GIVEN}</p>` : html`<p id="which">Fill in at least one of these.</p>`}
${IDENTIFIERS.map(input)}</fieldset>
<fieldset>
<legend>About your request</legend>
${input(CONFIRMATION)}${kit.longField({
  name: "details",
  label: "Anything else we should know (optional)",
  hint: `A person reads this if your request needs a decision. Up to ${shownCount(LONGEST_DETAILS)} characters.`,
  maxLength: LONGEST_DETAILS,
  value: typed.details,
  error: mistakeOf("details", mistakes),
  hasFocus: first === "details",
})}</fieldset>
<button>Remove the business</button>
</form>
${WHAT_HAPPENS}`;
};

const NOTHING_GIVEN = "Fill in at least one of the first four fields.";

/** The alert above the form when nothing was recorded. It links to each field that has a mistake. */
function alert(mistakes: readonly Mistake[], trouble: string | undefined): Html | false {
  if (trouble !== undefined) {
    return html`<div class="notice bad" role="alert"><p>${trouble} Nothing was recorded yet.</p></div>
`;
  }
  return kit.mistakeList("Nothing was recorded yet.", mistakes.map(shownMistake));
}

const shownMistake = ({ field, message }: Mistake): kit.Mistake =>
  field === null
    ? { name: "usdot", label: "Which business", message: NOTHING_GIVEN }
    : { name: field, label: NAMES[field], message };

const NAMES: Record<Field, string> = {
  usdot: "USDOT number",
  mc: "MC number",
  phone: "Phone number",
  email: "E-mail address",
  requester_email: "Confirmation",
  details: "Anything else",
};

const mistakeOf = (name: Field, mistakes: readonly Mistake[]): string | undefined =>
  mistakes.find(({ field }) => field === name)?.message;

const WHAT_HAPPENS = html`<h2>What happens next</h2>
<ul>
<li>We remove the business from everything we deliver <strong>at once</strong>, unless a person has to decide first: the
next two points say when. A USDOT number never waits. The business stays removed, also after later updates of the registry.</li>
<li>A phone number or e-mail address removes every business that filed it. If more than ${MOST_BY_CONTACT} active businesses share it, or
more than ${MOST_IN_ALL} in all, or if it is an agent's, we first remove only the number or address, everywhere and at once. A person then decides about the businesses.</li>
<li>While unusually many businesses are being removed, a person looks at any other phone number or e-mail address first. Your request then
takes effect when they have agreed. It is the same, at any time, with an MC number of more than ${MOST_IN_ALL} businesses.</li>
<li>We cannot take back data that customers downloaded before. The registry belongs to the government: to change data
there, ask the FMCSA.</li>
<li>We do not say whether we had the business. Everybody gets the same answer.</li>
<li>We use what you type only for this request. We delete your own e-mail address and your remarks after ${REQUESTER_KEPT_DAYS} days. We keep
the numbers and addresses that identify the business for as long as it stays removed.</li>
</ul>`;

/** The page after a request was recorded. */
const donePage = (requestId: number): Html => html`<h1>Your request is recorded</h1>
${notice("good", html`Its number is <strong>${requestId}</strong>. Keep it, in case you want to ask about it.`)}
<p>From now on we deliver nothing about what you named, unless a person has to look at it first. That is so when many businesses share
the number or address. For a phone number or e-mail address it is also so while unusually many businesses are being removed.</p>
<p>If you gave an address for a confirmation, the mail arrives within a few minutes. We send at most one mail a day to an
address.</p>
<p><a href="remove">Send another request</a></p>`;
