import type { Request } from "express";
import { type EventType, eventTypeLabel } from "../../../events/event-types.ts";
import { webhookMembers } from "../../../generated/webhook-members.ts";
import { InvalidRequestError } from "../../../platform/http/invalid-request.ts";
import { ProblemError } from "../../../platform/http/problem.ts";
import type { WebhookIn } from "../../../webhooks/endpoints/asked-endpoint.ts";
import { PAYLOADS } from "../../../webhooks/endpoints/filters.ts";
import { choice, field } from "../../kit/field.ts";
import { type Html, html } from "../../kit/html.ts";
import { shownCount } from "../../kit/number.ts";
import { problemOf } from "../problem-page.ts";
import { eventFilterFields, filtersIn, type TypedFilters, typedFilters } from "./endpoint-filters.ts";
import { fieldOf, fieldsOf } from "./form-fields.ts";

const MOST = { url: webhookMembers.url.maxLength, description: webhookMembers.description.maxLength };

/** The typed values of the form of an endpoint. */
export interface TypedEndpoint {
  url: string;
  description: string;
  eventTypes: readonly string[];
  filters: TypedFilters;
  payload: string;
  honorsRetryAfter: boolean;
}

/** The typed values that were refused, and why. */
export interface RefusedEndpoint {
  typed: TypedEndpoint;
  wrong: string;
  status: number;
}

/**
 * Reads the form of an endpoint and gives it to `save`. Gives null when that worked, otherwise what to show with the form
 * again. Throws an error that is not about the typed values.
 */
export async function savedBy(
  request: Request,
  save: (asked: WebhookIn) => Promise<void>,
): Promise<RefusedEndpoint | null> {
  const typed = typedEndpoint(request);
  try {
    await save(requireFitting(typed));
    return null;
  } catch (error) {
    // An endpoint of another account, or none, has no form to show.
    const isAboutValues =
      error instanceof InvalidRequestError || (error instanceof ProblemError && error.code !== "not_found");
    if (!isAboutValues) throw error;
    const { status, detail: wrong } = problemOf(error);
    return { typed, wrong, status };
  }
}

const typedEndpoint = (request: Request): TypedEndpoint => ({
  url: fieldOf(request, "url").trim(),
  description: fieldOf(request, "description"),
  eventTypes: fieldsOf(request, "event_types"),
  filters: typedFilters(request),
  payload: fieldOf(request, "payload"),
  honorsRetryAfter: fieldOf(request, "honor_retry_after") !== "",
});

/** Checks what the contract's schema demands of the body, or throws InvalidRequestError. The webhooks module checks the rest. */
function requireFitting({ url, description, eventTypes, ...typed }: TypedEndpoint): WebhookIn {
  const fault = (field: string, msg: string) => ({ loc: ["body", field], msg, type: "form" });
  const { filters, faults: wrongFilters } = filtersIn(typed.filters);
  const payload = PAYLOADS.find((each) => each === (typed.payload || "full"));
  const faults = [
    ...(url === "" || [...url].length > MOST.url
      ? [fault("address", `must have 1 to ${shownCount(MOST.url)} characters`)]
      : []),
    ...([...description].length > MOST.description
      ? [fault("note", `must have at most ${MOST.description} characters`)]
      : []),
    ...(eventTypes.length === 0 ? [fault("types", "must be at least one event type")] : []),
    ...wrongFilters,
  ];
  if (payload === undefined) faults.push(fault("content", "must be one of the form"));
  if (payload === undefined || faults.length > 0) throw new InvalidRequestError(faults);
  const honor_retry_after = typed.honorsRetryAfter;
  return { url, description, event_types: eventTypes as EventType[], filters, payload, honor_retry_after };
}

/** The fields of an endpoint with the typed values. */
export const endpointFields = (types: readonly EventType[], typed: TypedEndpoint): Html => html`${field({
  name: "url",
  label: "Address",
  type: "url",
  value: typed.url,
  hint: "A public https address. Deliveries are posted to it.",
  placeholder: "https://example.com/hooks",
  maxLength: MOST.url,
  isRequired: true,
})}
${field({ name: "description", label: "Your own note", value: typed.description, maxLength: MOST.description })}
<fieldset>
<legend>Event types</legend>
${types.map(
  (
    type,
  ) => html`<label class="check"><input type="checkbox" name="event_types" value="${type}"${typed.eventTypes.includes(type) && html` checked`}> ${eventTypeLabel(type)}</label>
`,
)}</fieldset>
${eventFilterFields(typed.filters)}${choice({ name: "payload", label: "Content", value: typed.payload, choices: PAYLOAD_CHOICES })}
<label class="check"><input type="checkbox" name="honor_retry_after" value="true"${typed.honorsRetryAfter && html` checked`}> ${RETRY_AFTER}</label>`;

const RETRY_AFTER = "Retry-After of a failed answer may put the next attempt off, by at most a day";

/** What deliveries have, in words. */
export const payloadInWords = (payload: string | undefined): string =>
  payload === "thin" ? "ids only, to read the event by API" : "the event";

const PAYLOAD_CHOICES = PAYLOADS.map((each) => [each, payloadInWords(each)] as const);
