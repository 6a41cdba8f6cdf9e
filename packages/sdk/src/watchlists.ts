import { type Call, mapped } from "./answer.ts";
import { ask, askOnce, askUnrepeated, CALL_OPTIONS, type CallOptions, type Connection } from "./call.ts";
import * as api from "./generated/operations/sdk.gen.ts";
import type {
  CarrierChangeOut,
  CarrierChangesOut,
  ListCarrierChangesData,
  WatchedCarriersChanged,
  WatchedCarriersIn,
  WatchedCarriersOut,
  WatchlistChange,
  WatchlistIn,
  WatchlistOut,
  WatchlistsOut,
} from "./generated/operations/types.gen.ts";
import { checkOptions, type OptionNames } from "./options.ts";
import { listByCursor, PAGE_OPTIONS, type PagedList, type PageOptions } from "./pages.ts";

/** A list of carriers whose changes you follow. */
export type Watchlist = WatchlistOut;

/** A change of a field of a watched carrier. */
export type CarrierChange = CarrierChangeOut;

/** The account's watchlists. */
export interface WatchlistCalls {
  /** The lists, oldest first, and how many carriers the account watches. */
  list(options?: CallOptions): Call<WatchlistsOut>;
  /** Creates an empty list. */
  create(list: WatchlistIn, options?: CallOptions): Call<Watchlist>;
  /** One list. */
  read(watchlistId: number, options?: CallOptions): Call<Watchlist>;
  /** Changes its name or note. */
  update(watchlistId: number, change: WatchlistChange, options?: CallOptions): Call<Watchlist>;
  /** Deletes a list. This can't be undone. */
  delete(watchlistId: number, options?: CallOptions): Call<void>;
  /** The carriers on a list, by USDOT number. */
  carriers(watchlistId: number, options?: PageOptions): PagedList<WatchedCarriersOut>;
  /** Puts up to 10,000 carriers on a list. A row a month for each carrier that none of your lists had this month. */
  add(watchlistId: number, numbers: WatchedCarriersIn, options?: CallOptions): Call<WatchedCarriersChanged>;
  /** Makes a list these carriers. */
  replace(
    watchlistId: number,
    numbers: WatchedCarriersIn,
    options?: CallOptions,
  ): Call<WatchedCarriersChanged>;
  /** Takes carriers off a list. */
  remove(
    watchlistId: number,
    numbers: WatchedCarriersIn,
    options?: CallOptions,
  ): Call<WatchedCarriersChanged>;
}

/** The calls of `client.watchlists`. */
export function watchlistCalls(connection: Connection): WatchlistCalls {
  const to = (watchlistId: number) => ({ path: { watchlist_id: watchlistId } });
  return {
    list: (options) => ask(connection, (sent) => api.listWatchlists(sent), options),
    create: (body, options) => askOnce(connection, (sent) => api.createWatchlist({ ...sent, body }), options),
    read: (id, options) => ask(connection, (sent) => api.readWatchlist({ ...sent, ...to(id) }), options),
    update: (id, body, options) =>
      ask(connection, (sent) => api.updateWatchlist({ ...sent, ...to(id), body }), options),
    // Sent twice, it would answer that there is no such list.
    delete: (id, options) =>
      mapped(
        askUnrepeated(connection, (sent) => api.deleteWatchlist({ ...sent, ...to(id) }), options),
        () => {},
      ),
    carriers: (id, how = {}) => {
      checkOptions(how, PAGE_OPTIONS);
      const { pageSize: limit = 1000, ...options } = how;
      return listByCursor((at) => {
        const asked = { ...to(id), query: { limit, ...at } };
        return ask(connection, (sent) => api.listWatchedCarriers({ ...sent, ...asked }), options);
      });
    },
    add: (id, body, options) =>
      askOnce(connection, (sent) => api.addWatchedCarriers({ ...sent, ...to(id), body }), options),
    replace: (id, body, options) =>
      askOnce(connection, (sent) => api.replaceWatchedCarriers({ ...sent, ...to(id), body }), options),
    remove: (id, body, options) =>
      askOnce(connection, (sent) => api.removeWatchedCarriers({ ...sent, ...to(id), body }), options),
  };
}

/** Which changes are read, from where, and how. */
export interface CarrierChangeQuery
  extends Omit<NonNullable<ListCarrierChangesData["query"]>, "limit" | "cursor">,
    CallOptions {
  /** The position to continue from: `meta.resume_cursor` of an earlier page. A cursor never expires. */
  cursor?: string | null | undefined;
  /** Changes per request, 1 to 1,000; 100 unless given. */
  pageSize?: number;
}

const CHANGE_QUERY: OptionNames<CarrierChangeQuery> = {
  watchlist: true,
  usdot: true,
  category: true,
  since: true,
  cursor: true,
  pageSize: true,
  ...CALL_OPTIONS,
};

/** The changes that a query asks for, oldest first. */
export function listCarrierChanges(
  connection: Connection,
  how: CarrierChangeQuery,
): PagedList<CarrierChangesOut> {
  checkOptions<CarrierChangeQuery>(how, CHANGE_QUERY);
  const { watchlist, usdot, category, since, cursor, pageSize: limit = 100, ...options } = how;
  const query = {
    limit,
    ...(watchlist !== undefined && { watchlist }),
    ...(usdot && { usdot }),
    ...(category && { category }),
    ...(since !== undefined && { since }),
  };
  return listByCursor((at) => {
    const asked = { query: { ...query, ...at } };
    return ask(connection, (sent) => api.listCarrierChanges({ ...sent, ...asked }), options);
  }, cursor);
}
