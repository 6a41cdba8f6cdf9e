import { type Html, html } from "../../platform/http/html.ts";
import { MOST_SHARING_USDOTS } from "../../registry/contacts/shared-contacts.ts";
import type { Mistake, OptOutIn } from "../../suppression/requests/asked.ts";

/** What was typed into the form, by field. */
export type Typed = Record<keyof OptOutIn, string>;
type Field = keyof Typed;

interface FieldShown {
  name: Field;
  label: string;
  hint: string;
  maxLength: number;
  inputMode?: "numeric" | "tel" | "email";
  autocomplete?: "tel" | "email";
}

const IDENTIFIERS: readonly FieldShown[] = [
  { name: "usdot", label: "USDOT number", hint: "For example 1234567", maxLength: 64 },
  {
    name: "mc",
    label: "MC number",
    hint: "For example MC-123456; an FF or MX number is fine too",
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
  label: "Where we may send a confirmation (optional)",
  maxLength: 254,
  hint: "We write once, to say that the request is recorded",
  inputMode: "email",
  autocomplete: "email",
};

const NOTHING_TYPED: Typed = { usdot: "", mc: "", phone: "", email: "", requester_email: "", details: "" };
export const FIELDS = Object.keys(NOTHING_TYPED) as Field[];

/** What the form shows besides its fields. */
interface FormState {
  typed?: Typed;
  mistakes?: readonly Mistake[];
  /** Why nothing could be recorded although the form was right. */
  trouble?: string;
}

/** The form, with what was typed and what was wrong with it. */
export const formPage = ({ typed = NOTHING_TYPED, mistakes = [], trouble }: FormState = {}): Html => {
  const field = (shown: FieldShown) => inputField(shown, typed[shown.name], mistakes);
  return html`${alert(mistakes, trouble)}<h1>Have a business removed</h1>
<p>Trucking Data Feed passes on what the official registry publishes about US trucking companies. If a business should
not be in it, tell us which one. It is free, and you need no account.</p>
<form method="post" action="remove" novalidate>
<fieldset>
<legend>Which business</legend>
${mistakes.some((mistake) => mistake.field === null) ? html`<p class="error">${NOTHING_GIVEN}</p>` : html`<p>Fill in at least one of these. One is enough.</p>`}
${IDENTIFIERS.map(field)}</fieldset>
<fieldset>
<legend>About your request</legend>
${field(CONFIRMATION)}${detailsField(typed.details, mistakes)}</fieldset>
<button>Remove the business</button>
</form>
${WHAT_HAPPENS}`;
};

const NOTHING_GIVEN = "Fill in at least one of the first four fields.";

/** What stands above everything else when nothing was recorded, with the way to each field that has to change. */
function alert(mistakes: readonly Mistake[], trouble: string | undefined): Html | null {
  if (trouble !== undefined) {
    return html`<div class="alert" role="alert"><p>${trouble} Nothing was recorded yet.</p></div>
`;
  }
  if (mistakes.length === 0) return null;
  const items = mistakes.map(({ field, message }) =>
    field === null
      ? html`<li><a href="#usdot">${NOTHING_GIVEN}</a></li>`
      : html`<li><a href="#${field}">${NAMES[field]}: ${message}</a></li>`,
  );
  return html`<div class="alert" role="alert"><p><strong>Nothing was recorded yet.</strong></p><ul>${items}</ul></div>
`;
}

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

/** Tells a screen reader what is written beside a field. */
const described = (name: Field, mistake: string | undefined): Html =>
  mistake === undefined
    ? html`aria-describedby="${name}-hint"`
    : html`aria-describedby="${name}-hint ${name}-error" aria-invalid="true"`;

const errorOf = (name: Field, mistake: string | undefined): Html | null =>
  mistake === undefined
    ? null
    : html`<p class="error" id="${name}-error">${mistake}</p>
`;

function inputField(shown: FieldShown, typed: string, mistakes: readonly Mistake[]): Html {
  const { name, label, hint, maxLength, inputMode = "text", autocomplete = "off" } = shown;
  const mistake = mistakeOf(name, mistakes);
  return html`<div class="field">
<label for="${name}">${label}</label>
<p class="hint" id="${name}-hint">${hint}</p>
<input id="${name}" name="${name}" value="${typed}" maxlength="${maxLength}" inputmode="${inputMode}" autocomplete="${autocomplete}" autocapitalize="off" spellcheck="false" ${described(name, mistake)}>
${errorOf(name, mistake)}</div>
`;
}

function detailsField(typed: string, mistakes: readonly Mistake[]): Html {
  const mistake = mistakeOf("details", mistakes);
  // A line break right after the tag is dropped by browsers: one that was typed must not be.
  return html`<div class="field">
<label for="details">Anything else we should know (optional)</label>
<p class="hint" id="details-hint">A person reads it when your request needs a decision; up to 2,000 characters</p>
<textarea id="details" name="details" maxlength="2000" rows="4" ${described("details", mistake)}>
${typed}</textarea>
${errorOf("details", mistake)}</div>
`;
}

const WHAT_HAPPENS = html`<h2>What happens then</h2>
<ul>
<li>The business is taken out of everything we deliver <strong>at once</strong>, and it stays out, also after later
updates of the registry.</li>
<li>A phone number or e-mail address removes every business that files it. If more than ${MOST_SHARING_USDOTS} active businesses share it, we
take the number or address itself out everywhere at once, and a person looks at your request before whole businesses are
removed. The same goes while unusually many requests come in.</li>
<li>What customers downloaded before, we cannot take back. The registry itself is the government's: to change what stands
there, ask the FMCSA.</li>
<li>We do not say whether we had the business: everybody gets the same answer.</li>
<li>What you type is used for this alone. Your own e-mail address and your remarks are deleted after 90 days; what names the
business is kept as long as the business is kept out.</li>
</ul>`;

/** What everybody is told whose request was recorded. */
export const donePage = (requestId: number): Html => html`<h1>Your request is recorded</h1>
<p>Its number is <span class="number">${requestId}</span>. Keep it, in case you want to ask about it.</p>
<p>What you named is kept out of everything we deliver from now on. If many businesses share the phone number or e-mail
address you gave, a person looks at your request first.</p>
<p>If you gave an address for a confirmation, it arrives within a few minutes; to one address we write at most once a
day.</p>
<p><a href="remove">Send another request</a></p>`;
