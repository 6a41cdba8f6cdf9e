import type { Request } from "express";
import type { EventType } from "../../../events/event-types.ts";
import { InvalidRequestError } from "../../../platform/http/invalid-request.ts";
import { ProblemError } from "../../../platform/http/problem.ts";
import type { WebhookIn } from "../../../webhooks/endpoints/asked-endpoint.ts";
import { problemOf, type ShownProblem } from "../problem-page.ts";
import { fieldOf, fieldsOf } from "./form-fields.ts";

/** The typed values of the form of an endpoint. */
export interface TypedEndpoint {
  url: string;
  description: string;
  eventTypes: readonly string[];
}

/** Reads the form of an endpoint. */
export const typedEndpoint = (request: Request): TypedEndpoint => ({
  url: fieldOf(request, "url").trim(),
  description: fieldOf(request, "description"),
  eventTypes: fieldsOf(request, "event_types"),
});

/** Checks what the contract's schema demands of the body, or throws InvalidRequestError. The webhooks module checks the rest. */
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

/** The problem to show with the form. Rethrows an error that is not about the typed values. */
export function refusalOf(error: unknown): ShownProblem {
  if (error instanceof InvalidRequestError) return problemOf(error);
  // An endpoint of another account, or none, has no form to show.
  if (error instanceof ProblemError && error.code !== "not_found") return problemOf(error);
  throw error;
}
