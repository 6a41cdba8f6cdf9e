import type { Caller } from "../accounts/keys/caller.ts";
import { countPreview } from "../accounts/usage/preview-allowance.ts";
import type { Context } from "../platform/context.ts";
import { type EventOut, type EventRow, eventOut } from "./event-row.ts";
import type { EventType } from "./event-types.ts";
import { newestDetection, requireFresh } from "./freshness.ts";
import { eventsAsked } from "./query.ts";
import { scopeParameters } from "./scope.ts";

/** What people look for among the newest events. */
export interface RecentQuery {
  type?: EventType[];
  state?: string[];
  /** Only events of this business. */
  usdot?: number;
  /** Only events before the one of this id. */
  before?: number;
  limit: number;
}

/** Some of the newest events, and whether there are older ones. */
export interface RecentEvents {
  events: EventOut[];
  hasOlder: boolean;
}

/**
 * The newest events that plan and query leave, newest first, for a person to look at: free, however little of the quota
 * is left, but of an account only so many in a day. InvalidRequestError for a state there is not; ProblemError
 * not_entitled, stale_source, rate_limited.
 */
export async function recentEvents(
  context: Context,
  caller: Caller,
  query: RecentQuery,
): Promise<RecentEvents> {
  const { scope } = eventsAsked(caller, query);
  requireFresh(context, await newestDetection(context));
  const { rows } = await context.db.pool.query<EventRow>(
    `SELECT id, type, country, usdot, docket, state, occurred_on, detected_at, source_dataset, verify_method, data
     FROM event
     WHERE id < $4 AND ($5::int IS NULL OR usdot = $5)
       AND usdot NOT IN (SELECT usdot FROM suppressed_business)
       AND (type = ANY ($1::text[]) OR (type, state) IN (SELECT * FROM unnest($2::text[], $3::text[])))
     ORDER BY id DESC
     LIMIT $6::int + 1`,
    [...scopeParameters(scope), query.before ?? Number.MAX_SAFE_INTEGER, query.usdot ?? null, query.limit],
  );
  const events = rows.slice(0, query.limit).map(eventOut);
  await countPreview(context, caller.accountId);
  return { events, hasOlder: rows.length > query.limit };
}
