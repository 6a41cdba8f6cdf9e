import type { Caller } from "../accounts/keys/caller.ts";
import { type Fault, InvalidRequestError } from "../platform/http/invalid-request.ts";
import { ProblemError } from "../platform/http/problem.ts";
import { STATE_CODES } from "../registry/places/state-codes.ts";
import { EVENT_TYPE_FEEDS, type EventType } from "./event-types.ts";
import { instantMs } from "./rfc3339.ts";
import { type EventScope, narrowed, planScope } from "./scope.ts";

/** What GET /v1/events asks for, its shape checked by the contract. */
export interface EventsQuery {
  type?: EventType[];
  since?: string;
  state?: string[];
  limit: number;
  cursor?: string;
}

/** What that means for the caller. */
export interface EventsAsked {
  scope: EventScope;
  /** Milliseconds since 1970; null where nothing was sent. */
  sinceMs: number | null;
}

/**
 * The scope that plan, types and states leave, and `since`. InvalidRequestError for a state or time there is not;
 * ProblemError not_entitled for a type no feed of the plan carries.
 */
export function eventsAsked(caller: Caller, { type, state, since }: EventsQuery): EventsAsked {
  const states = state?.map((each) => each.trim().toUpperCase());
  const sinceMs = since === undefined ? null : instantMs(since);
  const faults: Fault[] = [];
  for (const [place, each] of (states ?? []).entries()) {
    if (!STATE_CODES.includes(each)) faults.push(unknownState(place));
  }
  if (since !== undefined && sinceMs === null) faults.push(NO_TIME);
  if (faults.length > 0) throw new InvalidRequestError(faults);
  const scope = planScope(caller);
  const missing = type?.find((each) => !scope.has(each));
  if (missing !== undefined) throw notEntitled(missing);
  return { scope: narrowed(scope, type ?? null, states ?? null), sinceMs };
}

const unknownState = (place: number): Fault => ({
  loc: ["query", "state", place],
  msg: `must be a US state code: ${STATE_CODES.join(", ")}`,
  type: "unknown_state",
});

const NO_TIME: Fault = {
  loc: ["query", "since"],
  msg: "must be a time like 2026-11-21T08:00:00Z",
  type: "format",
};

const notEntitled = (type: EventType): ProblemError =>
  new ProblemError(
    "not_entitled",
    `Your plan does not include ${type}: it comes with any of ${EVENT_TYPE_FEEDS[type].join(", ")}.`,
  );
