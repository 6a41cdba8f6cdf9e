import type { Request } from "express";
import { type EventType, eventTypeLabel } from "../../../events/event-types.ts";
import { webhookMembers } from "../../../generated/webhook-members.ts";
import type { EntryContext } from "../../../platform/context.ts";
import { type Fault, InvalidRequestError } from "../../../platform/http/invalid-request.ts";
import { ProblemError } from "../../../platform/http/problem.ts";
import { shownCount } from "../../../platform/plural.ts";
import { refusalOfUrl } from "../../../webhooks/egress/address-rules.ts";
import type { WebhookIn } from "../../../webhooks/endpoints/asked-endpoint.ts";
import { PAYLOADS, type Payload } from "../../../webhooks/endpoints/filters.ts";
import { checks, choice, field, type Mistake, mistakeList, wrongIn } from "../../kit/field.ts";
import { type Html, html } from "../../kit/html.ts";
import { errorNotice } from "../../kit/notice.ts";
import { problemOf } from "../problem-page.ts";
import {
  eventFilterFields,
  filterLabel,
  filtersIn,
  type ListShown,
  type TypedFilters,
  typedFilters,
} from "./endpoint-filters.ts";
import { fieldOf, fieldsOf, NOT_IN_LIST } from "./form-fields.ts";

const MOST = { url: webhookMembers.url.maxLength, description: webhookMembers.description.maxLength };

/** The typed values of the form of an endpoint. */
export interface TypedEndpoint {
  url: string;
  description: string;
  eventTypes: readonly string[];
  filters: TypedFilters;
  payload: string;
  honorsRetryAfter: boolean;
  corrections: boolean;
  changes: boolean;
}

/** The typed values that were refused, and why: mistakes in fields, or trouble that is no field's. */
export interface RefusedEndpoint {
  typed: TypedEndpoint;
  mistakes: readonly Mistake[];
  trouble?: string;
  status: number;
}

/**
 * Reads the form of an endpoint and gives it to `save`. Gives null when that worked, otherwise what to show with the form
 * again: everything that is wrong at once. `savedUrl` is the address that was allowed before. Throws an error that is not
 * about the typed values.
 */
export async function savedBy(
  { config }: EntryContext,
  request: Request,
  save: (asked: WebhookIn) => Promise<void>,
  savedUrl?: string,
): Promise<RefusedEndpoint | null> {
  const typed = typedEndpoint(request);
  const { filters, mistakes: wrongFilters } = filtersIn(typed.filters);
  // In the order of the form: the first wrong field gets the focus.
  const mistakes = [
    ...wrongUrl(typed.url, typed.url === savedUrl ? null : config.webhookAllowedCidrs),
    ...wrongTexts(typed),
    ...wrongFilters,
    ...(typed.payload === "" || isPayload(typed.payload) ? [] : [wrong("payload", NOT_IN_LIST)]),
  ];
  if (mistakes.length > 0) return { typed, mistakes, status: 422 };
  try {
    await save(askedBy(typed, filters));
    return null;
  } catch (error) {
    if (error instanceof InvalidRequestError) {
      return { typed, mistakes: error.faults.map(mistakeOf), status: 422 };
    }
    // An endpoint of another account, or none, has no form to show.
    if (!(error instanceof ProblemError) || error.code === "not_found") throw error;
    const { status, detail } = problemOf(error);
    return error.code === "event_type_not_in_plan"
      ? { typed, mistakes: [wrong("event_types", detail)], status }
      : { typed, mistakes: [], trouble: detail, status };
  }
}

/** What the page says above its form: the mistakes, or why it could not be saved. */
export const refusalOf = ({ mistakes, trouble }: RefusedEndpoint): Html | false =>
  trouble === undefined ? mistakeList("Nothing was saved.", mistakes) : errorNotice(trouble);

const typedEndpoint = (request: Request): TypedEndpoint => ({
  url: fieldOf(request, "url").trim(),
  description: fieldOf(request, "description"),
  eventTypes: fieldsOf(request, "event_types"),
  filters: typedFilters(request),
  payload: fieldOf(request, "payload"),
  honorsRetryAfter: fieldOf(request, "honor_retry_after") !== "",
  corrections: fieldOf(request, "corrections") !== "",
  changes: fieldOf(request, "changes") !== "",
});

const LABELS = {
  url: "Address",
  description: "Your own note",
  event_types: "Event types",
  payload: "Content",
};
type Name = keyof typeof LABELS;

const wrong = (name: Name, message: string): Mistake => ({ name, label: LABELS[name], message });

/** A fault that the webhooks module found, such as a control character. */
const mistakeOf = ({ loc, msg }: Fault): Mistake => {
  const name = String(loc[1] === "filters" ? loc[2] : loc[1]);
  return { name, label: LABELS[name as Name] ?? filterLabel(name) ?? name, message: `It ${msg}.` };
};

/** What is wrong with an address; one that was allowed before is not checked again. */
function wrongUrl(url: string, allowedCidrs: readonly string[] | null): Mistake[] {
  if (url === "") return [wrong("url", "Write the address that gets the deliveries.")];
  if ([...url].length > MOST.url) return [wrong("url", `Write at most ${shownCount(MOST.url)} characters.`)];
  const refusal = allowedCidrs && refusalOfUrl(url, allowedCidrs);
  return refusal === null ? [] : [wrong("url", asFieldSays(refusal))];
}

/** A refusal in the words of the form, whose field has a name already. */
const asFieldSays = (refusal: string): string =>
  refusal
    .replace(/^The URL's/, "Its")
    .replace(/^The URL/, "It")
    .replace(/^It must start/, "It must begin");

const wrongTexts = ({ description, eventTypes }: TypedEndpoint): Mistake[] =>
  [
    [...description].length > MOST.description &&
      wrong("description", `Write at most ${MOST.description} characters.`),
    eventTypes.length === 0 && wrong("event_types", "Choose at least one."),
  ].filter((each) => each !== false);

const isPayload = (text: string): text is Payload => PAYLOADS.some((each) => each === text);

const askedBy = (typed: TypedEndpoint, filters: NonNullable<WebhookIn["filters"]>): WebhookIn => ({
  url: typed.url,
  description: typed.description,
  event_types: typed.eventTypes as EventType[],
  filters,
  payload: isPayload(typed.payload) ? typed.payload : "full",
  honor_retry_after: typed.honorsRetryAfter,
  corrections: typed.corrections,
  changes: typed.changes,
});

/** The fields of an endpoint with the typed values: event types and watchlists to choose from. */
export const endpointFields = (
  { types, lists }: { types: readonly EventType[]; lists: readonly ListShown[] },
  typed: TypedEndpoint,
  mistakes: readonly Mistake[],
): Html => {
  const about = (name: Name) => ({ name, label: LABELS[name], ...wrongIn(mistakes, name) });
  return html`${field({
    ...about("url"),
    type: "url",
    value: typed.url,
    hint: "A public https address. Deliveries are posted to it.",
    placeholder: "https://example.com/hooks",
    maxLength: MOST.url,
    isRequired: true,
  })}
${field({ ...about("description"), value: typed.description, maxLength: MOST.description })}
${checks({ ...about("event_types"), values: typed.eventTypes, choices: types.map((type) => [type, eventTypeLabel(type)]) })}
${eventFilterFields(typed.filters, mistakes, lists)}${choice({ ...about("payload"), value: typed.payload, choices: PAYLOAD_CHOICES })}
<label class="check"><input type="checkbox" name="corrections" value="true"${typed.corrections && html` checked`}> ${CORRECTIONS}</label>
<label class="check"><input type="checkbox" name="changes" value="true"${typed.changes && html` checked`}> ${CHANGES}</label>
<label class="check"><input type="checkbox" name="honor_retry_after" value="true"${typed.honorsRetryAfter && html` checked`}> ${RETRY_AFTER}</label>`;
};

const CORRECTIONS =
  "Send corrections too: an event was changed or withdrawn, because the registry took back what it rests on";

const CHANGES =
  "Send changes of your watched carriers too: of those on the watchlists chosen above, else on any of yours";

const RETRY_AFTER =
  "Follow Retry-After: when an answer of your receiver fails and has this header, the next attempt waits that long, at most a day";

/** What deliveries have, in words. */
export const payloadInWords = (payload: string | undefined): string =>
  payload === "thin" ? "ids only, to read the event by API" : "the event";

const PAYLOAD_CHOICES = PAYLOADS.map((each) => [each, payloadInWords(each)] as const);
