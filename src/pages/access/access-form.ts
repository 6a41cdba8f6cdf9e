import { type AccessMistake, type AskedAccess, MOST_CHARACTERS } from "../../accounts/access/asked.ts";
import { ACCESS_LINK_HOURS } from "../../accounts/access/request.ts";
import type { PlanShown } from "../../accounts/plans/plans.ts";
import { SIGN_IN_LINK_MINUTES } from "../../accounts/sessions/sign-in-links.ts";
import type { EntryContext } from "../../platform/context.ts";
import { linkTo } from "../frame/links.ts";
import { choice, field, longField, mistakeList, wrongIn } from "../kit/field.ts";
import { type Html, html } from "../kit/html.ts";
import { errorNotice } from "../kit/notice.ts";

/** What was typed into the form. */
export interface TypedAccess extends AskedAccess {
  plan: string;
}

/** What the form shows. */
interface FormState {
  plans: readonly Pick<PlanShown, "code" | "name">[];
  typed: TypedAccess;
  mistakes?: readonly AccessMistake[];
  /** Why a correct form could not be sent. */
  trouble?: string;
}

const LABELS: Readonly<Record<keyof AskedAccess, string>> = {
  name: "Your name",
  company: "Company",
  email: "Work e-mail address",
  purpose: "What you want to do with the data",
};

/** A field that people do not see; programs that fill in every field give themselves away. */
export const TRAP = "website";

/** The form by which strangers request access, with what was typed and what is wrong with it. */
export function accessForm(context: EntryContext, { plans, typed, mistakes = [], trouble }: FormState): Html {
  const wrong = mistakes.map(({ field: name, message }) => ({ name, label: LABELS[name], message }));
  const shared = (name: keyof AskedAccess) => ({
    name,
    label: LABELS[name],
    value: typed[name],
    maxLength: MOST_CHARACTERS[name],
    isRequired: true,
    ...wrongIn(wrong, name),
  });
  return html`${trouble !== undefined && errorNotice(`${trouble} Nothing was sent yet.`)}${mistakeList("Nothing was sent yet.", wrong)}<h1>Request access</h1>
<p>Tell us who you are. We mail you a link. Open the link to activate your account. We review requests for live data by hand and mail you.</p>
<form class="stack" method="post" action="${linkTo(context, "/request-access")}" novalidate>
${field({ ...shared("name"), autocomplete: "name" })}${field({ ...shared("company"), autocomplete: "organization" })}${field(
  {
    ...shared("email"),
    type: "email",
    inputMode: "email",
    autocomplete: "email",
    hint: "The link goes there.",
  },
)}${longField({ ...shared("purpose"), hint: "A sentence or two, for example: find new carriers in three states for our sales desk." })}${choice(
  {
    name: "plan",
    label: "Plan of interest",
    value: typed.plan,
    choices: [["", "Not sure yet"], ...plans.map(({ code, name }) => [code, name] as const)],
  },
)}<div hidden><label for="${TRAP}">Leave this empty</label><input id="${TRAP}" name="${TRAP}" tabindex="-1" autocomplete="off"></div>
<button>Request access</button>
</form>
<p class="hint">Already have an account? <a href="${linkTo(context, "/dashboard")}">Sign in</a>.
<a href="${linkTo(context, "/pricing")}">Compare plans</a>. We use what you type only to open your account and to decide about your request.</p>`;
}

/** The page after the form was sent. It is the same for every address. */
export const linkSent = (context: EntryContext): Html => html`<h1>Check your mail</h1>
<p>We have sent a link to your address. It works once, within ${ACCESS_LINK_HOURS} hours. If you have an account already, the link signs you in
and works for ${SIGN_IN_LINK_MINUTES} minutes.</p>
<p>No mail? Check the spam folder, or <a href="${linkTo(context, "/request-access")}">try again</a>. We send only a few mails a day to an address.</p>`;

/** The page of a mailed link. Mail scanners open links, so only the button uses it. */
export const confirmation = html`<h1>Confirm your address</h1>
<p>With this your account is open, and you are signed in.</p>
<form class="stack" method="post">
<button autofocus>Open my account</button>
</form>`;

/** The page of a link that no longer works. */
export const linkIsOver = (context: EntryContext): Html => html`<h1>This link has expired</h1>
<p>It was already used, or it is older than ${ACCESS_LINK_HOURS} hours. If you have used it, your account is open: sign in.</p>
<p class="row"><a class="button" href="${linkTo(context, "/dashboard")}">Sign in</a>
<a class="button quiet" href="${linkTo(context, "/request-access")}">Request access again</a></p>`;
