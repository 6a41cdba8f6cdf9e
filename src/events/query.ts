import type { Caller } from "../accounts/keys/caller.ts";
import { type Fault, InvalidRequestError, invalidTime } from "../platform/http/invalid-request.ts";
import { ProblemError } from "../platform/http/problem.ts";
import { instantMs } from "../platform/rfc3339.ts";
import { STATE_CODES } from "../registry/places/state-codes.ts";
import { EVENT_TYPE_FEEDS, type EventType } from "./event-types.ts";
import { type EventScope, narrowed, planScope } from "./scope.ts";

/** The query of GET /v1/events; the contract has checked its shape. */
export interface EventsQuery {
  type?: EventType[];
  since?: string;
  state?: string[];
  /** Only events of these businesses: USDOT numbers. */
  usdot?: string[];
  /** Only events of the carriers on this list of the account. */
  watchlist?: number;
  limit: number;
  cursor?: string;
}

/** A query with the caller's scope applied. */
interface ResolvedQuery {
  scope: EventScope;
  /** Milliseconds since 1970; null if `since` was not sent. */
  sinceMs: number | null;
}

/**
 * The scope that plan and query have in common, and `since`. Throws InvalidRequestError for an unknown state or time,
 * ProblemError not_entitled for a type that no feed of the plan carries.
 */
export function resolveQuery(
  caller: Caller,
  { type, state, since }: Pick<EventsQuery, "type" | "state" | "since">,
): ResolvedQuery {
  const states = state?.map((each) => each.trim().toUpperCase());
  const sinceMs = since === undefined ? null : instantMs(since);
  const faults: Fault[] = [];
  for (const [index, each] of (states ?? []).entries()) {
    if (!STATE_CODES.includes(each)) faults.push(unknownState(index));
  }
  if (since !== undefined && sinceMs === null) faults.push(INVALID_SINCE);
  if (faults.length > 0) throw new InvalidRequestError(faults);
  const scope = planScope(caller);
  const missing = type?.find((each) => !scope.has(each));
  if (missing !== undefined) throw notEntitled(missing);
  return { scope: narrowed(scope, type ?? null, states ?? null), sinceMs };
}

const unknownState = (index: number): Fault => ({
  loc: ["query", "state", index],
  msg: `must be a US state code: ${STATE_CODES.join(", ")}`,
  type: "unknown_state",
});

const INVALID_SINCE = invalidTime("query", "since");

const notEntitled = (type: EventType): ProblemError =>
  new ProblemError(
    "not_entitled",
    `Your plan does not include ${type}. A plan with any of these feeds does: ${EVENT_TYPE_FEEDS[type].join(", ")}.`,
  );
