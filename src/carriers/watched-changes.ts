// What changed at watched carriers. readWatchedChanges shows the steps of a request in order.
import { type Caller, planStates } from "../accounts/keys/caller.ts";
import { cursorAt, positionOf } from "../events/cursor.ts";
import { newestDetection, requireFreshDetection } from "../events/detection.ts";
import { DEFAULT_SINCE_DAYS, FOREIGN_CURSOR } from "../events/read.ts";
import * as sql from "../generated/sql/carriers.ts";
import type { components } from "../generated/types.ts";
import { DAY_MS } from "../platform/clock.ts";
import type { Context } from "../platform/context.ts";
import { InvalidRequestError, invalidTime } from "../platform/http/invalid-request.ts";
import { instantMs } from "../platform/rfc3339.ts";
import { recordedSince } from "../registry/changes/record-changes.ts";
import { changeOut } from "../watchlists/carrier-change.ts";
import { requirePaidMonth } from "../watchlists/pay-for-month.ts";
import { requireWatched } from "../watchlists/watched-carriers.ts";
import { recordedSinceOut } from "./carrier-changes.ts";

type ChangesOut = components["schemas"]["CarrierChangesOut"];
export type WatchedChange = ChangesOut["data"][number];

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
  const usdots = query.usdot?.map(Number) ?? null;
  await requireWatched(context, accountId, { watchlistId: query.watchlist ?? null, usdots });
  const start = await sql.changesStart(context.db.pool, { since });
  const owner = { instanceId: start.instanceId, accountId };
  const position =
    query.cursor === undefined ? start.sincePosition : positionOf(owner, query.cursor, CURSOR_FORM);
  // A cursor ahead of every change comes from before the database was restored to an older state.
  if (position === null || position > start.lastId) throw new InvalidRequestError([FOREIGN_CURSOR]);
  const { finishedAt } = requireFreshDetection(context, await newestDetection(context));
  await requirePaidMonth(context, caller);
  const [{ changes, readUpTo }, recorded] = await Promise.all([
    readStep(context, caller, {
      watchlistId: query.watchlist ?? null,
      usdots,
      categories: query.category ?? null,
      position,
      newestId: start.newestId,
      most: query.limit,
    }),
    recordedSince(context),
  ]);
  const cursor = cursorAt(owner, readUpTo, CURSOR_FORM);
  return {
    data: changes,
    next_cursor: readUpTo < start.newestId ? cursor : null,
    as_of: finishedAt.toISOString(),
    meta: { resume_cursor: cursor, recorded_since: recordedSinceOut(recorded) },
  };
}

interface Step {
  watchlistId: number | null;
  usdots: readonly number[] | null;
  categories: readonly string[] | null;
  position: number;
  newestId: number;
  most: number;
}

/** The next changes after a position, and the position up to which they were looked for. */
async function readStep(
  { db }: Context,
  caller: Caller,
  { newestId, ...step }: Step,
): Promise<{ changes: WatchedChange[]; readUpTo: number }> {
  const { position, most } = step;
  // The changes before a position may all be deleted since.
  const reach = Math.min(REACH, Math.max(0, newestId - position));
  const { accountId } = caller;
  const asked = { ...step, accountId, states: planStates(caller), reach };
  const rows = await sql.watchedChanges(db.pool, asked);
  const last = rows.at(-1);
  const readUpTo = last !== undefined && rows.length === most ? last.matchedId : position + reach;
  return { changes: shownChanges(rows), readUpTo };
}

/** A step of a reader that wants everything. */
const STEP = 1_000;

/** A part of the recorded changes: those after one, up to another. */
export interface ChangesBetween {
  lastChangeId: number;
  newestId: number;
}

/**
 * The first `most` changes of all watched carriers in a part of the recorded changes, as they may be shown now, and how many
 * there are in all; free.
 */
export async function readChangesBetween(
  context: Context,
  caller: Caller,
  { lastChangeId, newestId, most }: ChangesBetween & { most: number },
): Promise<{ changes: WatchedChange[]; count: number }> {
  const first: WatchedChange[] = [];
  let count = 0;
  // After a restore of an older database, the change before may not be there any more.
  let position = Math.min(lastChangeId, newestId);
  while (position < newestId) {
    const all = { watchlistId: null, usdots: null, categories: null, most: STEP };
    const { changes, readUpTo } = await readStep(context, caller, { ...all, position, newestId });
    first.push(...changes.slice(0, most - first.length));
    count += changes.length;
    position = readUpTo;
  }
  return { changes: first, count };
}

/** The newest recorded change of the registry; 0 before the first. */
export const newestChangeId = async ({ db }: Context): Promise<number> =>
  (await sql.changesStart(db.pool, { since: null })).newestId;

/** How far back the newest changes are looked for. */
export const NEWEST_SINCE_DAYS = 30;

/**
 * The newest changes of a list of the account in the last 30 days, the newest first, at most `most`; free. ProblemError as
 * readWatchedChanges.
 */
export async function readNewestChanges(
  context: Context,
  caller: Caller,
  { watchlistId, most }: { watchlistId: number; most: number },
): Promise<WatchedChange[]> {
  const { accountId } = caller;
  await requireWatched(context, accountId, { watchlistId, usdots: null });
  requireFreshDetection(context, await newestDetection(context));
  await requirePaidMonth(context, caller);
  const since = new Date(context.clock.now().getTime() - NEWEST_SINCE_DAYS * DAY_MS);
  const all = { usdots: null, categories: null, states: planStates(caller) };
  return shownChanges(
    await sql.newestWatchedChanges(context.db.pool, { ...all, accountId, watchlistId, since, most }),
  );
}

/** The names of these companies as the registry has them, by USDOT number. Ask only for companies that may be shown. */
export async function companyNames(
  { db }: Context,
  changes: readonly Pick<WatchedChange, "usdot">[],
): Promise<ReadonlyMap<string, string>> {
  const usdots = [...new Set(changes.map(({ usdot }) => Number(usdot)))];
  const rows = await sql.namesOf(db.pool, { usdots });
  return new Map(rows.flatMap(({ usdot, name }) => (name === null ? [] : [[String(usdot), name] as const])));
}

const CURSOR_FORM = "cc1";

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

const shownChanges = (rows: readonly sql.WatchedChangesRow[]): WatchedChange[] =>
  rows.flatMap((row) => (isShown(row) ? [changeOut(row)] : []));
