import type { Caller } from "../accounts/keys/caller.ts";
import { countPreview } from "../accounts/usage/quota.ts";
import * as sql from "../generated/sql/events.ts";
import type { Context } from "../platform/context.ts";
import { perDatabase } from "../platform/database/per-database.ts";
import { groupLoader } from "../platform/database/tick-loader.ts";
import { isFreshDetection, newestDetection, requireFreshDetection } from "./detection.ts";
import { type EventOut, eventOut } from "./event-row.ts";
import { EVENT_TYPES, type EventType } from "./event-types.ts";
import { resolveQuery } from "./query.ts";
import { planScope, type ScopeParameter, scopeParameter } from "./scope.ts";

const CARRIER_EVENTS = 20;

/** The newest 20 events of one USDOT number (digits) in the caller's plan and states, newest first. */
export async function newestEvents(context: Context, caller: Caller, usdot: string): Promise<EventOut[]> {
  const scope = scopeParameter(context, caller, planScope(caller));
  return loaderOf(context.db).load({ usdot: Number(usdot), scope });
}

interface Asked {
  usdot: number;
  scope: ScopeParameter;
}

// Requests of one event-loop turn with the same scope share a statement.
const loaderOf = perDatabase((db) =>
  groupLoader<Asked, EventOut[]>(
    ({ scope }) => scope.join(),
    async (group) => {
      const [{ scope }] = group;
      const usdots = [...new Set(group.map(({ usdot }) => usdot))];
      const rows = await sql.newestOfBusinesses(db.pool, { usdots, scope, most: CARRIER_EVENTS });
      return ({ usdot }) => rows.filter((row) => row.usdot === usdot).map(eventOut);
    },
  ),
);

/**
 * The newest event of the caller's plan; null if there is none, or while events are stale. It costs no quota and is no
 * preview.
 */
export async function newestEvent(context: Context, caller: Caller): Promise<EventOut | null> {
  const scope = planScope(caller);
  if (scope.size === 0 || !isFreshDetection(context, await newestDetection(context))) return null;
  const [newest] = await readNewest(context, scopeParameter(context, caller, scope), { limit: 1 });
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
  requireFreshDetection(context, await newestDetection(context));
  const { limit } = query;
  const events = await readNewest(context, scopeParameter(context, caller, scope), {
    ...query,
    limit: limit + 1,
  });
  await countPreview(context, caller);
  return { events: events.slice(0, limit), hasOlder: events.length > limit };
}

async function readNewest(
  { db }: Context,
  scope: ScopeParameter,
  { usdot, before, limit }: Pick<RecentQuery, "usdot" | "before" | "limit">,
): Promise<EventOut[]> {
  const rows = await sql.newest(db.pool, {
    scope,
    usdot: usdot ?? null,
    before: before ?? null,
    most: limit,
  });
  return rows.map(eventOut);
}

/** A day (UTC), and how many events of each type were detected on it. It counts no removed business. */
export interface DayOfEvents {
  day: string;
  counts: readonly { type: EventType; count: number }[];
}

/** The newest day with events, for anybody to see. Null before the first event, and while events are stale. */
export async function newestDayOfEvents(context: Context): Promise<DayOfEvents | null> {
  const [detection, rows] = await Promise.all([newestDetection(context), sql.newestDay(context.db.pool)]);
  const [first] = rows;
  if (first === undefined || !isFreshDetection(context, detection)) return null;
  const counted = new Map(rows.map(({ type, count }) => [type, count]));
  return { day: first.day, counts: EVENT_TYPES.map((type) => ({ type, count: counted.get(type) ?? 0 })) };
}
