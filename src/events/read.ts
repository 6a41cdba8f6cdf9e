// Reads events page by page. readEvents shows the steps of a request in order.

import type { Caller } from "../accounts/keys/caller.ts";
import { chargeRows } from "../accounts/usage/quota.ts";
import { countServedRows } from "../accounts/usage/usage-counter.ts";
import * as sql from "../generated/sql/events.ts";
import type { components } from "../generated/types.ts";
import { DAY_MS } from "../platform/clock.ts";
import type { Context } from "../platform/context.ts";
import { InvalidRequestError, unknownCursor } from "../platform/http/invalid-request.ts";
import { ProblemError } from "../platform/http/problem.ts";
import { type JsonPiece, type JsonText, joinJson, lentJson } from "../platform/json-text.ts";
import { giveBack } from "../platform/lent-bytes.ts";
import { requirePaidList } from "../watchlists/watched-carriers.ts";
import { cursorAt, positionOf } from "./cursor.ts";
import { requireFreshDetection } from "./detection.ts";
import { type AskedLines, findLines } from "./event-files.ts";
import { type EventOut, type EventRow, eventOut } from "./event-row.ts";
import { type EventsQuery, resolveQuery } from "./query.ts";
import { planScope, scopeOut, scopeParameter } from "./scope.ts";
import { type Start, startOf } from "./start.ts";

export type EventsOut = components["schemas"]["EventsOut"];

/** How far back the first page reaches without `since` and `cursor`. */
export const DEFAULT_SINCE_DAYS = 7;

/**
 * One page of the events that the plan includes and the query asks for, ascending by id. The quota is charged by the
 * events on it. A cursor overrides `since`. Throws InvalidRequestError for an invalid query; ProblemError not_entitled,
 * stale_source or quota_exceeded, the first that applies in this order.
 */
export async function readEvents(
  context: Context,
  caller: Caller,
  query: EventsQuery,
): Promise<JsonText<EventsOut>> {
  const { scope, sinceMs } = resolveQuery(caller, query);
  const since = new Date(sinceMs ?? context.clock.now().getTime() - DEFAULT_SINCE_DAYS * DAY_MS);
  const start = await startOf(context.db, query.cursor === undefined ? since.getTime() : "cursor");
  const owner = { instanceId: start.instanceId, accountId: caller.accountId };
  const position = query.cursor === undefined ? start.sincePosition : positionOf(owner, query.cursor);
  // A cursor ahead of every id comes from before the database was restored to an older state.
  if (position === null || position > start.lastId) throw new InvalidRequestError([FOREIGN_CURSOR]);
  const { finishedAt } = requireFreshDetection(context, start.detection);
  const usdots = query.usdot === undefined ? null : [...new Set(query.usdot.map(Number))];
  if (query.watchlist !== undefined) await requirePaidList(context, caller, query.watchlist);
  const { lines, count, hasMore, readUpTo, floor } = await readPage(context, start, {
    scope: scopeParameter(context, caller, scope),
    position,
    limit: query.limit,
    usdots,
    list:
      query.watchlist === undefined ? null : { accountId: caller.accountId, watchlistId: query.watchlist },
  });
  await chargeRows(context, caller, "api", count);
  countServedRows(context, caller, { feed: "events", form: "json" }, count);
  const resumeAt = hasMore ? readUpTo : Math.max(position, readUpTo, floor?.deletedUpTo ?? 0);
  const resumeCursor = cursorAt(owner, resumeAt);
  const around: Omit<EventsOut, "data"> = {
    next_cursor: hasMore ? resumeCursor : null,
    as_of: finishedAt.toISOString(),
    meta: {
      types: [...scope.keys()],
      scope: scopeOut(scope),
      resume_cursor: resumeCursor,
      kept_since: floor?.keptSince.toISOString() ?? null,
      has_gap:
        floor !== null &&
        (query.cursor === undefined ? since < floor.keptSince : position < floor.deletedUpTo),
    },
  };
  return rendered(lines, around);
}

function rendered(lines: readonly JsonPiece[], around: Omit<EventsOut, "data">): JsonText<EventsOut> {
  const json = joinJson(['{"data":[', ...lines, `],${JSON.stringify(around).slice(1)}`]);
  for (const piece of lines) if (Buffer.isBuffer(piece)) giveBack(piece);
  return lentJson(json);
}

export const FOREIGN_CURSOR = unknownCursor(
  "must be next_cursor or resume_cursor of an earlier answer to this account; without it, start with since",
);

interface EventsPage {
  /** The events, separated by commas. */
  lines: JsonPiece[];
  count: number;
  hasMore: boolean;
  /** No event of the page and of those before it has a higher id. */
  readUpTo: number;
  /** Null while every event is kept. */
  floor: { deletedUpTo: number; keptSince: Date } | null;
}

/** Most pages are filled by the next few events, whatever the scope. */
const REACH = 10_000;
/** readFar knows no events of one account. Test mode has few events, so one look reaches all. */
const REACH_IN_TEST_MODE = 1_000_000_000;
/** A page of a list looks at so many events at most; then it is short, and the next one goes on. */
const LIST_REACH = 100_000;

interface Wanted extends AskedLines {
  /** Only of these businesses; null: of all. */
  usdots: number[] | null;
  /** Only of the carriers on a list. */
  list: { accountId: number; watchlistId: number } | null;
}

async function readPage(context: Context, start: Start, wanted: Wanted): Promise<EventsPage> {
  const { position, usdots, list } = wanted;
  const { newestId } = start;
  const floor = floorOf(start.deletedUpTo, start.keptSince);
  if (position >= newestId) return { lines: [], count: 0, hasMore: false, readUpTo: newestId, floor };
  const found = list === null && usdots === null ? await findLines(context, start, wanted) : null;
  if (found === null) return pageOfDatabase(context, wanted);
  const { lines, count, isCut, lastId } = found;
  return { lines, count, hasMore: isCut, readUpTo: isCut ? lastId : newestId, floor };
}

async function pageOfDatabase(
  { db, live }: Context,
  { position, limit, scope, usdots, list }: Wanted,
): Promise<EventsPage> {
  const most = limit + 1;
  if (list !== null) {
    const own = await sql.readOfWatchlist(db.pool, {
      position,
      reach: LIST_REACH,
      most,
      scope,
      ...list,
      usdots,
    });
    return pageOf(own, eventsOf(own), limit, position + LIST_REACH);
  }
  if (usdots !== null) {
    const own = await sql.readOfBusinesses(db.pool, { position, most, scope, usdots });
    return pageOf(own, eventsOf(own), limit);
  }
  const reach = live === undefined ? REACH : REACH_IN_TEST_MODE;
  const near = await sql.readNear(db.pool, { position, reach, most, scope });
  const found = eventsOf(near);
  const isReadUp = found.length === most || (near[0]?.newest_id ?? 0) <= position + reach;
  if (isReadUp) return pageOf(near, found, limit);
  // Ids commit in order, so no event that is new since then belongs among those that were found.
  const far = await sql.readFar(db.pool, { position: position + reach, most: most - found.length, scope });
  return pageOf(far, [...found, ...eventsOf(far)], limit);
}

/** Only an answer without any event has a row of nulls. */
const eventsOf = (rows: readonly sql.ReadNearRow[]): EventRow[] =>
  rows.filter((row): row is sql.ReadNearRow & EventRow => row.id !== null);

function pageOf(
  [row]: readonly sql.ReadNearRow[],
  found: readonly EventRow[],
  limit: number,
  searchedUpTo = Number.MAX_SAFE_INTEGER,
): EventsPage {
  const newestId = row?.newest_id ?? 0;
  const events = found.slice(0, limit);
  const isCut = found.length > limit;
  return {
    lines: [events.map((event) => JSON.stringify(eventOut(event))).join()],
    count: events.length,
    hasMore: isCut || searchedUpTo < newestId,
    readUpTo: isCut ? (events.at(-1)?.id ?? 0) : Math.min(searchedUpTo, newestId),
    floor: floorOf(row?.deleted_up_to, row?.kept_since),
  };
}

const floorOf = (deletedUpTo?: number | null, keptSince?: Date | null): EventsPage["floor"] =>
  deletedUpTo && keptSince ? { deletedUpTo, keptSince } : null;

/** One event that the plan includes, charged as a row. ProblemError not_found, whatever the reason; quota_exceeded. */
export async function readEvent(context: Context, caller: Caller, eventId: number): Promise<EventOut> {
  const scope = scopeParameter(context, caller, planScope(caller));
  const row = await sql.readOne(context.db.pool, { eventId, scope });
  if (row === undefined) throw new ProblemError("not_found", "Your plan includes no event of this id.");
  await chargeRows(context, caller, "api", 1);
  countServedRows(context, caller, { feed: "events", form: "json" }, 1);
  return eventOut(row);
}
