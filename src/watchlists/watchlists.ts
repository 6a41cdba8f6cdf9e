// Watchlists: the carriers that an account follows.
// It owns all tables whose names begin with watch.
// It promises that only its own account sees and changes a list, and that a carrier is paid for once a month.

import { lockAccount } from "../accounts/accounts.ts";
import type { Caller } from "../accounts/keys/caller.ts";
import { type Maker, makerOf, recordAction } from "../accounts/people/account-log.ts";
import * as sql from "../generated/sql/watchlists.ts";
import type { components } from "../generated/types.ts";
import type { Context } from "../platform/context.ts";
import type { Queryable } from "../platform/database/statement.ts";
import { InvalidRequestError, requirePlainTexts } from "../platform/http/invalid-request.ts";
import { ProblemError } from "../platform/http/problem.ts";
import { mostIn } from "../platform/test-situation.ts";

type WatchlistIn = components["schemas"]["WatchlistIn"];
export type WatchlistOut = components["schemas"]["WatchlistOut"];

/** As many lists as an account may have. */
export const MOST_LISTS = 100;

/** The account's lists, oldest first, and how many carriers it watches in all beside the limit of its plan. */
export async function readWatchlists(
  { db }: Context,
  { accountId, watchedCarriers }: Pick<Caller, "accountId" | "watchedCarriers">,
): Promise<components["schemas"]["WatchlistsOut"]> {
  const [lists, counts] = await Promise.all([
    sql.listsOf(db.pool, { accountId, watchlistId: null }),
    sql.countsOf(db.pool, { accountId, watchlistId: null }),
  ]);
  return {
    data: lists.map(listOut),
    meta: { watched_carriers: counts.watched, watched_carriers_limit: watchedCarriers },
  };
}

/** The account's lists by name, oldest first, without counting their carriers. */
export const listNames = ({ db }: Context, accountId: number): Promise<Pick<WatchlistOut, "id" | "name">[]> =>
  db.prisma.watchlist.findMany({
    where: { accountId },
    select: { id: true, name: true },
    orderBy: { id: "asc" },
  });

/** Who made each of an account's lists, as far as it is known. */
export async function listMakers({ db }: Context, accountId: number): Promise<Map<number, string | null>> {
  const made = await db.prisma.watchlist.findMany({
    where: { accountId },
    select: { id: true, madeBy: true },
  });
  return new Map(made.map(({ id, madeBy }) => [id, madeBy]));
}

/** One list of the account. ProblemError not_found. */
export async function readList(
  { db }: Context,
  accountId: number,
  watchlistId: number,
): Promise<WatchlistOut> {
  const [list] = await sql.listsOf(db.pool, { accountId, watchlistId });
  if (list === undefined) throw noSuchList();
  return listOut(list);
}

/** Makes sure that a list is the account's, without counting its carriers. ProblemError not_found. */
export async function requireList({ db }: Context, accountId: number, watchlistId: number): Promise<void> {
  const unknown = await indexesOfUnknownLists(db.pool, accountId, [watchlistId]);
  if (unknown.length > 0) throw noSuchList();
}

const listOut = ({ createdAt, ...list }: sql.ListsOfRow): WatchlistOut => ({
  ...list,
  created_at: createdAt.toISOString(),
});

/** The same error for another account's list and for none, so that nobody learns which ids exist. */
const noSuchList = (): ProblemError =>
  new ProblemError("not_found", "Your account has no watchlist of this id.");

/** Creates an empty list. InvalidRequestError; ProblemError watchlist_limit_reached. */
export async function createList(
  context: Context,
  accountId: number,
  { name, description = null }: WatchlistIn,
  maker: Maker = {},
): Promise<WatchlistOut> {
  const { db, clock } = context;
  const texts = checkedTexts({ name, description });
  const createdAt = clock.now();
  const most = mostIn(context, MOST_LISTS);
  return db.transaction(async (client) => {
    await lockAccount(client, accountId);
    const list = { accountId, ...texts, now: createdAt, most, madeBy: makerOf(maker) };
    const made = await sql.insertList(client, list);
    if (made === undefined) throw listLimitReached();
    const doer = { ...maker, accountId };
    await recordAction(client, doer, { action: "watchlist_made", subject: texts.name, now: createdAt });
    return listOut({ id: made.id, ...texts, createdAt, carriers: 0 });
  });
}

/** Name and note without blanks around them. InvalidRequestError. */
function checkedTexts<Texts extends { name?: string | undefined; description?: string | null | undefined }>(
  texts: Texts,
): Texts {
  const { name, description } = texts;
  requirePlainTexts({ ...(name && { name }), ...(description && { description }) });
  if (name?.trim() === "") throw new InvalidRequestError([BLANK_NAME]);
  return {
    ...texts,
    ...(name !== undefined && { name: name.trim() }),
    ...(description !== undefined && { description: description?.trim() || null }),
  };
}

const BLANK_NAME = { loc: ["body", "name"], msg: "must not be blank", type: "minLength" };

const listLimitReached = (): ProblemError =>
  new ProblemError(
    "watchlist_limit_reached",
    `Your account has ${MOST_LISTS} watchlists, which is the limit. Delete one first.`,
  );

/** Changes the name or the note of a list. InvalidRequestError; ProblemError not_found. */
export async function updateList(
  context: Context,
  accountId: number,
  watchlistId: number,
  change: components["schemas"]["WatchlistChange"],
  { person }: Maker = {},
): Promise<WatchlistOut> {
  const { name, description } = checkedTexts(change);
  await context.db.transaction(async (client) => {
    const list = await lockedList(client, accountId, watchlistId);
    await sql.updateList(client, {
      id: list.id,
      name: name ?? list.name,
      description: description === undefined ? list.description : description,
    });
    const now = context.clock.now();
    const subject = name ?? list.name;
    await recordAction(client, { accountId, person }, { action: "watchlist_changed", subject, now });
  });
  return readList(context, accountId, watchlistId);
}

/** Deletes a list with its carriers. ProblemError not_found. */
export async function deleteList(
  context: Context,
  accountId: number,
  watchlistId: number,
  { person }: Maker = {},
): Promise<void> {
  await context.db.transaction(async (client) => {
    const { id, name: subject } = await lockedList(client, accountId, watchlistId);
    await sql.deleteList(client, { id });
    const now = context.clock.now();
    await recordAction(client, { accountId, person }, { action: "watchlist_deleted", subject, now });
  });
}

/** Locks a list of the account until the transaction ends. ProblemError not_found. */
export async function lockedList(
  client: Queryable,
  accountId: number,
  watchlistId: number,
): Promise<sql.LockListRow> {
  const list = await sql.lockList(client, { accountId, watchlistId });
  if (list === undefined) throw noSuchList();
  return list;
}

/** The lists of an account that have a carrier, oldest first. */
export const listsWith = (
  { db }: Context,
  accountId: number,
  usdot: number,
): Promise<{ id: number; name: string }[]> => sql.listsWith(db.pool, { accountId, usdot });

/** Where in `watchlistIds` ids are that are no lists of the account, as of the caller's transaction. */
export async function indexesOfUnknownLists(
  client: Queryable,
  accountId: number,
  watchlistIds: readonly number[],
): Promise<number[]> {
  const own = new Set((await sql.ownLists(client, { accountId, watchlistIds })).map(({ id }) => id));
  return watchlistIds.flatMap((id, index) => (own.has(id) ? [] : [index]));
}

/** Ends what an account watches, in the transaction that closes it. */
export async function endWatching(client: Queryable, accountId: number): Promise<void> {
  await sql.deleteListsOf(client, { accountId });
  await sql.forgetAccount(client, { accountId });
}
