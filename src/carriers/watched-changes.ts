// What changed at watched carriers, page by page. readWatchedChanges shows the steps of a request in order.
import type { Caller } from "../accounts/keys/caller.ts";
import { newestDetection, requireFreshDetection } from "../events/detection.ts";
import { DEFAULT_SINCE_DAYS } from "../events/read.ts";
import { instantMs } from "../events/rfc3339.ts";
import * as sql from "../generated/sql/carriers.ts";
import type { components } from "../generated/types.ts";
import { DAY_MS } from "../platform/clock.ts";
import type { Context } from "../platform/context.ts";
import { openCursor, sealCursor } from "../platform/http/cursor.ts";
import { InvalidRequestError, invalidTime, unknownCursor } from "../platform/http/invalid-request.ts";
import { recordedSince } from "../registry/changes/record-changes.ts";
import { changeOut } from "../watchlists/carrier-change.ts";
import { requirePaidMonth } from "../watchlists/pay-for-month.ts";
import { requireWatched, watchedStates } from "../watchlists/watched-carriers.ts";
import { recordedSinceOut } from "./carrier-changes.ts";

type ChangesOut = components["schemas"]["CarrierChangesOut"];

export interface WatchedChangesQuery {
  watchlist?: number;
  usdot?: string[];
  category?: string[];
  since?: string;
  limit: number;
  cursor?: string;
}

/** A page looks at so many changes of the registry at most; then it is short, and the next one goes on. */
const REACH = 100_000;

/**
 * One page of the recorded changes of the carriers on the caller's lists, ascending by id; free. A cursor overrides `since`.
 * InvalidRequestError for an invalid query and for a carrier on none of the lists; ProblemError not_found (the list),
 * stale_source, quota_exceeded (the month of the watched carriers is not paid for).
 */
export async function readWatchedChanges(
  context: Context,
  caller: Caller,
  query: WatchedChangesQuery,
): Promise<ChangesOut> {
  const { accountId } = caller;
  const since = sinceOf(context, query);
  const usdots = query.usdot === undefined ? null : [...new Set(query.usdot.map(Number))];
  await requireWatched(context, accountId, { watchlistId: query.watchlist ?? null, usdots });
  const start = await sql.changesStart(context.db.pool, { since });
  const owner = `${start.instanceId} ${accountId}`;
  const position = query.cursor === undefined ? start.sincePosition : positionOf(owner, query.cursor);
  // A cursor ahead of every change comes from before the database was restored to an older state.
  if (position > start.newestId) throw new InvalidRequestError([FOREIGN_CURSOR]);
  const { finishedAt } = requireFreshDetection(context, await newestDetection(context));
  await requirePaidMonth(context, caller);
  const [rows, recorded] = await Promise.all([
    sql.watchedChanges(context.db.pool, {
      accountId,
      watchlistId: query.watchlist ?? null,
      usdots,
      categories: query.category ?? null,
      states: watchedStates(caller),
      position,
      reach: Math.min(REACH, start.newestId - position),
      most: query.limit,
    }),
    recordedSince(context),
  ]);
  const last = rows.at(-1);
  const readUpTo =
    last !== undefined && rows.length === query.limit
      ? last.matchedId
      : Math.min(position + REACH, start.newestId);
  const cursor = sealCursor(FORM, owner, [readUpTo]);
  return {
    data: rows.flatMap((row) => (isShown(row) ? [changeOut(row)] : [])),
    next_cursor: readUpTo < start.newestId ? cursor : null,
    as_of: finishedAt.toISOString(),
    meta: { resume_cursor: cursor, recorded_since: recordedSinceOut(recorded) },
  };
}

const FORM = "cc1";

function positionOf(owner: string, cursor: string): number {
  const [digits] = openCursor(FORM, owner, cursor) ?? [];
  if (digits === undefined || !/^\d{1,16}$/.test(digits)) throw new InvalidRequestError([FOREIGN_CURSOR]);
  return Number(digits);
}

const FOREIGN_CURSOR = unknownCursor(
  "must be next_cursor or resume_cursor of an earlier answer to this account; without it, start with since",
);

/** Null with a cursor, which overrides it. */
function sinceOf({ clock }: Context, { since, cursor }: WatchedChangesQuery): Date | null {
  const ms = since === undefined ? clock.now().getTime() - DEFAULT_SINCE_DAYS * DAY_MS : instantMs(since);
  if (ms === null) throw new InvalidRequestError([invalidTime("query", "since")]);
  return cursor === undefined ? new Date(ms) : null;
}

type ShownRow = { [Column in keyof sql.WatchedChangesRow]: sql.WatchedChangesRow[Column] } & {
  [Column in "id" | "usdot" | "category" | "field" | "seen_at" | "source"]: NonNullable<
    sql.WatchedChangesRow[Column]
  >;
};

const isShown = (row: sql.WatchedChangesRow): row is ShownRow => row.id !== null;
