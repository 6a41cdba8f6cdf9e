import type { Caller } from "../accounts/caller.ts";
import type { EventType } from "../events/event-types.ts";
import { planScope } from "../events/scope.ts";
import type { components } from "../generated/types.ts";
import type { Context } from "../platform/context.ts";
import { type Fault, InvalidRequestError } from "../platform/invalid-request.ts";
import { isPlainText } from "../platform/plain-text.ts";
import { ProblemError } from "../platform/problem.ts";
import { refusalOfUrl } from "./egress/address-rules.ts";

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
  { config }: Context,
  caller: Pick<Caller, "feeds">,
  { url, event_types, description }: WebhookIn,
): AskedEndpoint {
  const texts = Object.entries({ url, description: description ?? "" });
  const faults = texts.filter(([, text]) => !isPlainText(text)).map(([name]) => controlCharacterIn(name));
  if (faults.length > 0) throw new InvalidRequestError(faults);
  const refusal = refusalOfUrl(url, config.webhookAllowedCidrs);
  if (refusal !== null) throw new ProblemError("invalid_url", refusal);
  const eventTypes = [...new Set(event_types)];
  requireInPlan(eventTypes, [...planScope(caller).keys()]);
  return { url, eventTypes, description: description?.trim() || null };
}

function requireInPlan(asked: readonly EventType[], included: readonly EventType[]): void {
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
