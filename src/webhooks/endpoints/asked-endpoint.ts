import type { Caller } from "../../accounts/keys/caller.ts";
import type { EventType } from "../../events/event-types.ts";
import { planScope } from "../../events/scope.ts";
import type { components } from "../../generated/types.ts";
import type { Context } from "../../platform/context.ts";
import { type Fault, InvalidRequestError } from "../../platform/http/invalid-request.ts";
import { ProblemError } from "../../platform/http/problem.ts";
import { isPlainText } from "../../platform/plain-text.ts";
import { refusalOfUrl } from "../egress/address-rules.ts";

/** An endpoint as someone asks for it, its shape checked by the contract. */
export type WebhookIn = components["schemas"]["WebhookIn"];

/** An endpoint that may be registered. */
export interface AskedEndpoint {
  url: string;
  eventTypes: EventType[];
  description: string | null;
}

/**
 * What is asked for, without repetitions and surrounding blanks. InvalidRequestError for a text no page could show;
 * ProblemError invalid_url, event_type_not_in_plan: the first that holds, in this order.
 */
export function askedEndpoint(
  context: Context,
  caller: Pick<Caller, "feeds">,
  { url, event_types, description }: WebhookIn,
): AskedEndpoint {
  requirePlainTexts({ url, description: description ?? "" });
  requireAllowedUrl(context, url);
  const eventTypes = [...new Set(event_types)];
  requireInPlan(caller, eventTypes);
  return { url, eventTypes, description: description?.trim() || null };
}

/**
 * An endpoint with some of its members changed, under the same rules as a new one. What stays as it was is not checked
 * again: plan and rules may have changed since, and nobody could edit the note of such an endpoint otherwise.
 */
export function changedEndpoint(
  context: Context,
  caller: Pick<Caller, "feeds">,
  current: AskedEndpoint,
  change: Partial<WebhookIn>,
): AskedEndpoint {
  const { url = current.url, description = current.description } = change;
  requirePlainTexts({ url, description: description ?? "" });
  if (url !== current.url) requireAllowedUrl(context, url);
  const eventTypes = [...new Set(change.event_types ?? current.eventTypes)];
  const added = eventTypes.filter((type) => !current.eventTypes.includes(type));
  requireInPlan(caller, added);
  return { url, eventTypes, description: description?.trim() || null };
}

function requirePlainTexts(texts: Readonly<Record<string, string>>): void {
  const faults = Object.entries(texts)
    .filter(([, text]) => !isPlainText(text))
    .map(([name]) => controlCharacterIn(name));
  if (faults.length > 0) throw new InvalidRequestError(faults);
}

function requireAllowedUrl({ config }: Context, url: string): void {
  const refusal = refusalOfUrl(url, config.webhookAllowedCidrs);
  if (refusal !== null) throw new ProblemError("invalid_url", refusal);
}

function requireInPlan(caller: Pick<Caller, "feeds">, asked: readonly EventType[]): void {
  const included = [...planScope(caller).keys()];
  const missing = asked.filter((type) => !included.includes(type));
  if (missing.length === 0) return;
  const choice = included.length === 0 ? "no event type" : included.join(", ");
  throw new ProblemError(
    "event_type_not_in_plan",
    `Your plan does not include ${missing.join(", ")}. It includes ${choice}.`,
  );
}

const controlCharacterIn = (name: string): Fault => ({
  loc: ["body", name],
  msg: "must not contain line breaks or control characters",
  type: "control_character",
});
