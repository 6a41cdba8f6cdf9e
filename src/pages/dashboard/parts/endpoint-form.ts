import type { Request } from "express";
import type { EventType } from "../../../events/event-types.ts";
import { InvalidRequestError } from "../../../platform/http/invalid-request.ts";
import { ProblemError } from "../../../platform/http/problem.ts";
import type { WebhookIn } from "../../../webhooks/endpoints/asked-endpoint.ts";
import { problemOf, type ShownProblem } from "../problem-page.ts";
import { fieldOf, fieldsOf } from "./form-fields.ts";

/** What somebody typed into the form of an endpoint. */
export interface TypedEndpoint {
  url: string;
  description: string;
  eventTypes: readonly string[];
}

/** The endpoint that was sent by the form. */
export const typedEndpoint = (request: Request): TypedEndpoint => ({
  url: fieldOf(request, "url").trim(),
  description: fieldOf(request, "description"),
  eventTypes: fieldsOf(request, "event_types"),
});

/** What the contract's schema asks of the body; webhooks check the rest. InvalidRequestError. */
export function requireFitting({ url, description, eventTypes }: TypedEndpoint): WebhookIn {
  const fault = (field: string, msg: string) => ({ loc: ["body", field], msg, type: "form" });
  const faults = [
    ...(url === "" || [...url].length > 2_000 ? [fault("address", "must have 1 to 2,000 characters")] : []),
    ...([...description].length > 120 ? [fault("note", "must have at most 120 characters")] : []),
    ...(eventTypes.length === 0 ? [fault("types", "must be at least one event type")] : []),
  ];
  if (faults.length > 0) throw new InvalidRequestError(faults);
  return { url, description, event_types: eventTypes as EventType[] };
}

/** Why what was typed cannot be; throws what is no refusal. */
export function refusalOf(error: unknown): ShownProblem {
  if (error instanceof InvalidRequestError) return problemOf(error);
  // Another account's endpoint, and none there is, have no form to show again.
  if (error instanceof ProblemError && error.code !== "not_found") return problemOf(error);
  throw error;
}
