// Which carriers are on a list. changeCarriers shows the steps of each change in order.
import { type Caller, planStates } from "../accounts/keys/caller.ts";
import { recordAction } from "../accounts/people/account-log.ts";
import * as sql from "../generated/sql/watchlists.ts";
import type { components } from "../generated/types.ts";
import type { Context } from "../platform/context.ts";
import type { Queryable } from "../platform/database/statement.ts";
import { openCursor, sealCursor } from "../platform/http/cursor.ts";
import { type Fault, InvalidRequestError, unknownCursor } from "../platform/http/invalid-request.ts";
import { ProblemError } from "../platform/http/problem.ts";
import { countOf, shownCount } from "../platform/plural.ts";
import { type AskedNumbers, type CarrierNumber, readNumbers } from "../registry/carrier-numbers.ts";
import { payForMonth, requirePaidMonth } from "./pay-for-month.ts";
import { lockedList, requireList } from "./watchlists.ts";

type Changed = components["schemas"]["WatchedCarriersChanged"];

/** USDOT and docket numbers that a request may have together. */
export const MOST_NUMBERS = 10_000;

/** A list of the account. */
export interface ListOfCaller {
  caller: Caller;
  watchlistId: number;
}

/** What the numbers of a request stand for. */
interface Resolved extends Pick<Changed, "unknown" | "ambiguous" | "invalid"> {
  /** The carriers, each once. */
  usdots: number[];
}

/** Whose the numbers are among carriers that fit. */
async function resolve(
  numbers: readonly CarrierNumber[],
  fitting: (usdots: number[]) => Promise<{ usdot: number }[]>,
): Promise<Resolved> {
  const candidates = [...new Set(numbers.flatMap(({ usdots }) => usdots ?? []))];
  const fit = new Set((await fitting(candidates)).map(({ usdot }) => usdot));
  const found: Resolved = { usdots: [], unknown: [], ambiguous: [], invalid: [] };
  const usdots = new Set<number>();
  for (const { query, usdots: holders } of numbers) {
    const own = holders?.filter((usdot) => fit.has(usdot));
    const [only, second] = own ?? [];
    if (own === undefined) found.invalid.push(query);
    else if (only === undefined) found.unknown.push(query);
    else if (second !== undefined) found.ambiguous.push({ docket: query, usdots: own.map(String) });
    else usdots.add(only);
  }
  return { ...found, usdots: [...usdots] };
}

const watchable = ({ db }: Context, caller: Caller) => {
  const states = planStates(caller);
  return (usdots: number[]) => sql.watchable(db.pool, { usdots, states });
};

/**
 * Puts carriers on a list, and charges those that are not paid for this month. InvalidRequestError for no number or too many;
 * ProblemError not_found, watch_limit_reached, quota_exceeded: then nothing is changed.
 */
export async function addCarriers(
  context: Context,
  list: ListOfCaller,
  asked: AskedNumbers,
): Promise<Changed> {
  const numbers = await readNumbers(context, asked, MOST_NUMBERS);
  const resolved = await resolve(numbers, watchable(context, list.caller));
  return changeCarriers(context, list, resolved, async () => 0);
}

/**
 * Makes a list these carriers. An empty list of numbers empties it. InvalidRequestError for neither list, too many numbers,
 * or numbers of which none is known; ProblemError as addCarriers.
 */
export async function replaceCarriers(
  context: Context,
  list: ListOfCaller,
  asked: AskedNumbers,
): Promise<Changed> {
  const given = [asked.usdots, asked.dockets].filter((list) => list !== undefined);
  const isEmptying = given.length > 0 && given.every((list) => list.length === 0);
  const numbers = isEmptying ? [] : await readNumbers(context, asked, MOST_NUMBERS);
  const resolved = await resolve(numbers, watchable(context, list.caller));
  if (numbers.length > 0 && resolved.usdots.length === 0) throw new InvalidRequestError([NONE_KNOWN]);
  return changeCarriers(context, list, resolved, async (client) => {
    const { watchlistId } = list;
    const removed = await sql.removeOthers(client, { watchlistId, usdots: resolved.usdots });
    // Removed businesses too, which the list did not show: so they are not counted.
    if (isEmptying) await sql.emptyList(client, { watchlistId });
    return removed;
  });
}

const NONE_KNOWN = {
  loc: ["body"],
  msg: "must have a number of a carrier that you may watch; send an empty list to empty the watchlist",
  type: "none_known",
};

async function changeCarriers(
  context: Context,
  { caller, watchlistId }: ListOfCaller,
  { usdots, ...rest }: Resolved,
  remove: (client: Queryable) => Promise<number>,
): Promise<Changed> {
  const { accountId } = caller;
  return context.db.transaction(async (client) => {
    const { name } = await lockedList(client, accountId, watchlistId);
    const now = context.clock.now();
    const { watched: before } = await sql.countsOf(client, { accountId, watchlistId });
    const removed = await remove(client);
    const added = await sql.addCarriers(client, { watchlistId, usdots, now });
    const subject = `${name}: ${countOf(added, "carrier")} added`;
    if (added > 0) await recordAction(client, caller, { action: "watchlist_changed", subject, now });
    const { watched, carriers, paidMonth } = await sql.countsOf(client, { accountId, watchlistId });
    // After a change to a smaller plan an account watches more than it may, and can come back to it in several requests.
    if (watched > before) requireWithinLimit(caller, watched);
    const rowsCharged = await payForMonth(context, caller, client, { added: usdots, paidMonth });
    return {
      added,
      removed,
      already: usdots.length - added,
      ...rest,
      carriers,
      rows_charged: rowsCharged,
    };
  });
}

function requireWithinLimit(caller: Caller, count: number): void {
  if (count <= caller.watchedCarriers) return;
  throw new ProblemError(
    "watch_limit_reached",
    `Your account would watch ${countOf(count, "carrier")}, and your plan allows ${shownCount(caller.watchedCarriers)}. ` +
      "Nothing was changed.",
  );
}

/**
 * Takes carriers off a list; a docket stands for those on the list that have or had it. InvalidRequestError for no number or
 * too many; ProblemError not_found.
 */
export async function removeCarriers(
  context: Context,
  { caller, watchlistId }: ListOfCaller,
  asked: AskedNumbers,
): Promise<Changed> {
  const { accountId } = caller;
  const numbers = await readNumbers(context, asked, MOST_NUMBERS);
  return context.db.transaction(async (client) => {
    const { name } = await lockedList(client, accountId, watchlistId);
    const listed = (usdots: number[]) => sql.listedOf(client, { watchlistId, usdots });
    const { usdots, ...rest } = await resolve(numbers, listed);
    const removed = await sql.removeCarriers(client, { watchlistId, usdots });
    const subject = `${name}: ${countOf(removed, "carrier")} removed`;
    const now = context.clock.now();
    if (removed > 0) await recordAction(client, caller, { action: "watchlist_changed", subject, now });
    const { carriers } = await sql.countsOf(client, { accountId, watchlistId });
    return { added: 0, removed, already: 0, ...rest, carriers, rows_charged: 0 };
  });
}

/** A page of the carriers of a list, by USDOT number. InvalidRequestError for a cursor of another list; ProblemError not_found. */
export async function listCarriers(
  context: Context,
  { caller, watchlistId }: ListOfCaller,
  { limit, cursor }: { limit: number; cursor?: string },
): Promise<components["schemas"]["WatchedCarriersOut"]> {
  const { accountId } = caller;
  await requireList(context, accountId, watchlistId);
  const owner = `${accountId} ${watchlistId}`;
  const after = cursor === undefined ? 0 : lastUsdotOf(owner, cursor);
  const rows = await sql.pageOfCarriers(context.db.pool, { watchlistId, after, most: limit + 1 });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    data: page.map(({ usdot, company, state, addedAt }) => ({
      usdot: String(usdot),
      company,
      state,
      added_at: addedAt.toISOString(),
    })),
    next_cursor: last !== undefined && rows.length > limit ? sealCursor(FORM, owner, [last.usdot]) : null,
  };
}

const FORM = "wc1";

function lastUsdotOf(owner: string, cursor: string): number {
  const [usdot] = openCursor(FORM, owner, cursor) ?? [];
  if (usdot === undefined || !/^\d{1,8}$/.test(usdot)) throw new InvalidRequestError([FOREIGN_CURSOR]);
  return Number(usdot);
}

const FOREIGN_CURSOR = unknownCursor("must be next_cursor of an earlier answer for this list");

/**
 * Makes sure that a list is the account's, and that these carriers are on it, or on any of its lists. ProblemError not_found;
 * InvalidRequestError that names the carriers in the query.
 */
export async function requireWatched(
  context: Context,
  accountId: number,
  { watchlistId, usdots }: { watchlistId: number | null; usdots: readonly number[] | null },
): Promise<void> {
  if (watchlistId !== null) await requireList(context, accountId, watchlistId);
  if (usdots === null) return;
  const rows = await sql.watchedOf(context.db.pool, { accountId, watchlistId, usdots });
  const watched = new Set(rows.map(({ usdot }) => usdot));
  const faults = usdots.flatMap((usdot, index) => (watched.has(usdot) ? [] : [notWatched(index)]));
  if (faults.length > 0) throw new InvalidRequestError(faults);
}

const notWatched = (index: number): Fault => ({
  loc: ["query", "usdot", index],
  msg: "is on none of your watchlists",
  type: "not_watched",
});

/**
 * Makes sure that a list is the account's and that its month is paid for. ProblemError not_found, quota_exceeded.
 */
export async function requirePaidList(context: Context, caller: Caller, watchlistId: number): Promise<void> {
  await requireList(context, caller.accountId, watchlistId);
  await requirePaidMonth(context, caller);
}
