// Reading events page by page. What a request goes through stands in order in `readEvents`.
import type { Caller } from "../accounts/keys/caller.ts";
import { chargeRows } from "../accounts/usage/quota.ts";
import { countServedRows } from "../accounts/usage/served-rows.ts";
import type { components } from "../generated/types.ts";
import type { Context } from "../platform/context.ts";
import { loadSql } from "../platform/database/sql.ts";
import { type Fault, InvalidRequestError } from "../platform/http/invalid-request.ts";
import { cursorAt, positionOf } from "./cursor.ts";
import { type EventOut, type EventRow, eventOut } from "./event-row.ts";
import { type Detection, requireFresh } from "./freshness.ts";
import { type EventsQuery, eventsAsked } from "./query.ts";
import { scopeOut, scopeParameters } from "./scope.ts";

export type EventsOut = components["schemas"]["EventsOut"];

const POSITION_SQL = loadSql(import.meta.url, "position.sql");
const PAGE_SQL = loadSql(import.meta.url, "read.sql");

/** How far back the first page reaches when neither `since` nor `cursor` says. */
const DEFAULT_SINCE_MS = 7 * 86_400_000;

/**
 * One page of the events that plan and query leave, ascending by id, charged by the events in it. A cursor wins over
 * `since`. InvalidRequestError for a query that means nothing; ProblemError not_entitled, stale_source,
 * quota_exceeded: the first that holds, in this order.
 */
export async function readEvents(context: Context, caller: Caller, query: EventsQuery): Promise<EventsOut> {
  const { scope, sinceMs } = eventsAsked(caller, query);
  const standing = await standingAt(context, sinceMs ?? context.clock.now().getTime() - DEFAULT_SINCE_MS);
  const owner = { instanceId: standing.instanceId, accountId: caller.accountId };
  const position = query.cursor === undefined ? standing.sincePosition : positionOf(owner, query.cursor);
  // A cursor ahead of every id is of a database that has since been put back to an older state.
  if (position === null || position > standing.lastId) throw new InvalidRequestError([FOREIGN_CURSOR]);
  const { finishedAt } = requireFresh(context, standing.detection);
  const { events, hasMore, newestId } = await readPage(context, scopeParameters(scope), {
    position,
    limit: query.limit,
  });
  await chargeRows(context, caller, "api", events.length);
  countServedRows(context, caller, { feed: "events", form: "json" }, events.length);
  const resumeAt = hasMore ? (events.at(-1)?.id ?? position) : Math.max(position, newestId);
  const resumeCursor = cursorAt(owner, resumeAt);
  return {
    data: events,
    next_cursor: hasMore ? resumeCursor : null,
    as_of: finishedAt.toISOString(),
    meta: {
      types: [...scope.keys()],
      scope: scopeOut(scope),
      resume_cursor: resumeCursor,
    },
  };
}

const FOREIGN_CURSOR: Fault = {
  loc: ["query", "cursor"],
  msg: "must be next_cursor or resume_cursor of an earlier answer to this account; without it, start with since",
  type: "unknown_cursor",
};

interface Standing {
  instanceId: string;
  detection: Detection | null;
  lastId: number;
  sincePosition: number;
}

type StandingRow = Omit<Standing, "detection"> & (Detection | { finishedAt: null; asOf: null });

async function standingAt({ db }: Context, sinceMs: number): Promise<Standing> {
  const { rows } = await db.pool.query<StandingRow>(POSITION_SQL, [sinceMs]);
  if (rows[0] === undefined) throw new Error("The database has no row in installation");
  const { finishedAt, asOf, ...standing } = rows[0];
  return { ...standing, detection: finishedAt === null ? null : { finishedAt, asOf } };
}

interface Page {
  events: EventOut[];
  hasMore: boolean;
  /** The highest id there was when the page was read, of any event; 0 where there is none. */
  newestId: number;
}

type PageRow = { newest_id: number | null } & (EventRow | { id: null });

async function readPage(
  { db }: Context,
  scope: ReturnType<typeof scopeParameters>,
  { position, limit }: { position: number; limit: number },
): Promise<Page> {
  const { rows } = await db.pool.query<PageRow>(PAGE_SQL, [position, limit + 1, ...scope]);
  const events = rows.filter((row) => row.id !== null);
  return {
    events: events.slice(0, limit).map(eventOut),
    hasMore: events.length > limit,
    newestId: rows[0]?.newest_id ?? 0,
  };
}
