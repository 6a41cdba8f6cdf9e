import type { Caller } from "../../accounts/keys/caller.ts";
import type { EventType } from "../../events/event-types.ts";
import { planScope } from "../../events/scope.ts";
import type { components } from "../../generated/types.ts";
import type { Context } from "../../platform/context.ts";
import { requirePlainTexts } from "../../platform/http/invalid-request.ts";
import { ProblemError } from "../../platform/http/problem.ts";
import { refusalOfUrl } from "../egress/address-rules.ts";
import { checkedFilters, type Filters, type Payload } from "./filters.ts";

/** A requested endpoint whose shape the contract has checked. */
export type WebhookIn = components["schemas"]["WebhookIn"];

/** A checked endpoint that may be registered. */
export interface AskedEndpoint {
  url: string;
  eventTypes: EventType[];
  description: string | null;
  filters: Filters;
  payload: Payload;
  honorRetryAfter: boolean;
  /** Whether it receives corrections of events too. */
  corrections: boolean;
  /** Whether it receives the changes of watched carriers too. */
  changes: boolean;
}

/**
 * Checks a requested endpoint, without repeated event types and surrounding blanks. InvalidRequestError for control
 * characters and unfit filters; else the first of ProblemError invalid_url, event_type_not_in_plan.
 */
export function askedEndpoint(
  context: Context,
  caller: Pick<Caller, "feeds">,
  {
    url,
    event_types,
    description,
    filters,
    payload = "full",
    honor_retry_after: honorRetryAfter = false,
    corrections = false,
    changes = false,
  }: WebhookIn,
): AskedEndpoint {
  requirePlainTexts({ url, description: description ?? "" });
  const checked = checkedFilters(filters);
  requireAllowedUrl(context, url);
  const eventTypes = [...new Set(event_types)];
  requireInPlan(caller, eventTypes);
  const note = description?.trim() || null;
  return {
    url,
    eventTypes,
    description: note,
    filters: checked,
    payload,
    honorRetryAfter,
    corrections,
    changes,
  };
}

/**
 * Checks an endpoint with some members changed, by the rules for a new one. Unchanged members are not checked again: plan
 * and rules may have changed since, and the customer must still be able to edit the note.
 */
export function changedEndpoint(
  context: Context,
  caller: Pick<Caller, "feeds">,
  current: AskedEndpoint,
  change: Partial<WebhookIn>,
): AskedEndpoint {
  const { url = current.url, description = current.description, payload = current.payload } = change;
  const { corrections = current.corrections, changes = current.changes } = change;
  const { honor_retry_after: honorRetryAfter = current.honorRetryAfter } = change;
  requirePlainTexts({ url, description: description ?? "" });
  const filters = change.filters === undefined ? current.filters : checkedFilters(change.filters);
  if (url !== current.url) requireAllowedUrl(context, url);
  const eventTypes = [...new Set(change.event_types ?? current.eventTypes)];
  const added = eventTypes.filter((type) => !current.eventTypes.includes(type));
  requireInPlan(caller, added);
  return {
    url,
    eventTypes,
    description: description?.trim() || null,
    filters,
    payload,
    honorRetryAfter,
    corrections,
    changes,
  };
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
