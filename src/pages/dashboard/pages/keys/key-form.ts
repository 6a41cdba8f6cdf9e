import type { Request } from "express";
import { ALL_SCOPES, areUsual, USUAL_SCOPES } from "../../../../accounts/keys/grant.ts";
import { checkedTerms, type KeyTerms } from "../../../../accounts/keys/key-terms.ts";
import { checkedKeyName } from "../../../../accounts/keys/keys.ts";
import type { Session } from "../../../../accounts/sessions/sessions.ts";
import { scopes } from "../../../../generated/scopes.ts";
import type { EntryContext } from "../../../../platform/context.ts";
import { type Fault, InvalidRequestError } from "../../../../platform/http/invalid-request.ts";
import { OperatorError } from "../../../../platform/operator-error.ts";
import { dashboardLink } from "../../../frame/links.ts";
import { checks, field, longField, type Mistake, mistakeList, wrongIn } from "../../../kit/field.ts";
import { type Html, html } from "../../../kit/html.ts";
import { formToken } from "../../dashboard-page.ts";
import { fieldOf, fieldsOf } from "../../parts/form-fields.ts";

/** The form of a new key as it was filled in. */
export interface TypedKey {
  name: string;
  scopes: readonly string[];
  days: string;
  networks: string;
}

export const NEW_KEY: TypedKey = { name: "", scopes: USUAL_SCOPES, days: "", networks: "" };

export const typedKey = (request: Request): TypedKey => ({
  name: fieldOf(request, "name"),
  scopes: fieldsOf(request, "scopes"),
  days: fieldOf(request, "days").trim(),
  networks: fieldOf(request, "networks"),
});

const LABELS = {
  name: "What the key is for",
  scopes: "What it may do",
  days: "Days until it ends",
  networks: "Networks that it may be used from",
} as const;
type FieldName = keyof typeof LABELS;

const wrongField = (name: FieldName, message: string): Mistake => ({
  name,
  label: LABELS[name],
  message,
});

const MOST_DAYS = 3650;

function nameMistakes(name: string): Mistake[] {
  try {
    checkedKeyName(name);
    return [];
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return [wrongField("name", error.message)];
  }
}

/** The terms that were filled in, or what is wrong with the form. */
export function termsOf(typed: TypedKey, now: Date): { terms: KeyTerms } | { mistakes: Mistake[] } {
  const mistakes = nameMistakes(typed.name);
  if (typed.scopes.length === 0) mistakes.push(wrongField("scopes", "Tick at least one."));
  const days = typed.days === "" ? undefined : Number(typed.days);
  if (days !== undefined && !(/^\d+$/.test(typed.days) && days >= 1 && days <= MOST_DAYS))
    mistakes.push(wrongField("days", `Write a whole number from 1 to ${MOST_DAYS}, or nothing.`));
  const networks = typed.networks.split(/[\s,;]+/).filter((text) => text !== "");
  try {
    const asked = { scopes: typed.scopes, allowed_networks: networks };
    const terms = checkedTerms({ ...asked, ...(mistakes.length === 0 && { expires_in_days: days }) }, now);
    return mistakes.length > 0 ? { mistakes } : { terms: { ...terms, scopes: storedScopes(terms) } };
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error;
    return { mistakes: [...mistakes, ...error.faults.map((fault) => mistakeOf(fault, networks))] };
  }
}

/** All that are ticked from the beginning stand for the usual ones, which may grow. */
const storedScopes = ({ scopes: ticked }: KeyTerms): KeyTerms["scopes"] => (areUsual(ticked) ? [] : ticked);

function mistakeOf({ loc: [, member, index], msg }: Fault, networks: readonly string[]): Mistake {
  if (member === "scopes") return wrongField("scopes", `Each ${msg}.`);
  const which = typeof index === "number" ? `“${networks[index]}” ` : "It ";
  return wrongField("networks", `${which}${msg}.`);
}

/** The form of a new key. */
export const keyForm = (
  context: EntryContext,
  session: Session,
  { typed, mistakes }: { typed: TypedKey; mistakes: readonly Mistake[] },
): Html => html`<h2>Make a key</h2>
<form class="stack" method="post" action="${dashboardLink(context, "/keys")}">
${formToken(session)}
${field({ name: "name", label: LABELS.name, ...wrongIn(mistakes, "name"), value: typed.name, maxLength: 100, placeholder: "Nightly sync", isRequired: true })}
${checks({
  name: "scopes",
  label: LABELS.scopes,
  ...wrongIn(mistakes, "scopes"),
  choices: ALL_SCOPES.map((scope) => [scope, html`<code>${scope}</code> ${scopes[scope].allows}`] as const),
  values: typed.scopes,
})}
${field({ name: "days", label: LABELS.days, ...wrongIn(mistakes, "days"), value: typed.days, hint: "Empty: it never ends. We write to you 14 and 3 days before, and when it has ended.", isNumber: true, maxLength: 4 })}
${longField({ name: "networks", label: LABELS.networks, ...wrongIn(mistakes, "networks"), value: typed.networks, hint: html`Empty: from anywhere. Else addresses or networks, one a line, such as <code>203.0.113.0/24</code>.`, isCode: true, maxLength: 2000 })}
<button>Make a key</button>
</form>`;

/** The alert above the form. */
export const keyMistakes = (mistakes: readonly Mistake[]): Html | false =>
  mistakeList("No key was made.", mistakes);
