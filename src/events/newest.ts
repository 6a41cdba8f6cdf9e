import type { Caller } from "../accounts/keys/caller.ts";
import { countPreview } from "../accounts/usage/preview-allowance.ts";
import type { Context } from "../platform/context.ts";
import { type EventOut, eventOut } from "./event-row.ts";
import type { EventType } from "./event-types.ts";
import { isFreshDetection, newestDetection, requireFresh } from "./freshness.ts";
import { resolveQuery } from "./query.ts";
import { planScope, type ScopeParameter, scopeParameter } from "./scope.ts";
import * as sql from "./statements.ts";

const CARRIER_EVENTS = 20;

/** The newest 20 events of one USDOT number (digits) in the caller's plan and states, newest first. */
export async function newestEvents(context: Context, caller: Caller, usdot: string): Promise<EventOut[]> {
  return readNewest(context, scopeParameter(planScope(caller)), {
    usdot: Number(usdot),
    limit: CARRIER_EVENTS,
  });
}

/**
 * The newest event of the caller's plan; null if there is none, or while events are stale. It costs no quota and is no
 * preview.
 */
export async function newestEvent(context: Context, caller: Caller): Promise<EventOut | null> {
  const scope = planScope(caller);
  if (scope.size === 0 || !isFreshDetection(context, await newestDetection(context))) return null;
  const [newest] = await readNewest(context, scopeParameter(scope), { limit: 1 });
  return newest ?? null;
}

/** Filters of the dashboard's page of events. */
export interface RecentQuery {
  type?: EventType[];
  state?: string[];
  /** Only events of this business. */
  usdot?: number;
  /** Only events with a lower id. */
  before?: number;
  limit: number;
}

/** Some of the newest events, and whether there are older ones. */
export interface RecentEvents {
  events: EventOut[];
  hasOlder: boolean;
}

/**
 * The newest events that the plan includes and the query asks for, newest first, for a person to look at. They cost no
 * quota, but an account can read only a limited number of such pages a day. Throws InvalidRequestError for an unknown
 * state, ProblemError not_entitled, stale_source or rate_limited.
 */
export async function recentEvents(
  context: Context,
  caller: Caller,
  query: RecentQuery,
): Promise<RecentEvents> {
  const { scope } = resolveQuery(caller, query);
  requireFresh(context, await newestDetection(context));
  const { limit } = query;
  const events = await readNewest(context, scopeParameter(scope), { ...query, limit: limit + 1 });
  await countPreview(context, caller.accountId);
  return { events: events.slice(0, limit), hasOlder: events.length > limit };
}

async function readNewest(
  { db }: Context,
  scope: ScopeParameter,
  { usdot, before, limit }: Pick<RecentQuery, "usdot" | "before" | "limit">,
): Promise<EventOut[]> {
  const { rows } = await sql.newest.run(db.pool, {
    scope,
    usdot: usdot ?? null,
    before: before ?? null,
    most: limit,
  });
  return rows.map(eventOut);
}
