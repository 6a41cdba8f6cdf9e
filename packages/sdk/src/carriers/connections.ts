import type { Call } from "../answer.ts";
import { ask, type CallOptions, type Connection } from "../call.ts";
import * as api from "../generated/operations/sdk.gen.ts";
import type {
  ConnectionOut,
  ConnectionsOut,
  ReadConnectionsData,
} from "../generated/operations/types.gen.ts";
import { checkOptions, type OptionNames } from "../options.ts";
import { listByCursor, PAGE_OPTIONS, type PagedList, type PageOptions } from "../pages.ts";

/** Which of the connected businesses to read, and how many a page. */
export type ConnectionsQuery = Omit<NonNullable<ReadConnectionsData["query"]>, "limit" | "cursor"> &
  PageOptions;
/** A page of the businesses that are connected with a carrier, and the summary of all. */
export type ConnectionsPage = ConnectionsOut;
/** A business that has something in common with a carrier. */
export type ConnectedBusiness = ConnectionOut;

export interface ConnectionCalls {
  /** Businesses that have a docket, a phone, an address and more in common with a carrier. Each costs a row, once a month. */
  connections(usdot: string | number, query?: ConnectionsQuery): PagedList<ConnectionsPage>;
  /** How many businesses are connected with a carrier, and by what. Free. */
  connectionSummary(usdot: string | number, options?: CallOptions): Call<ConnectionsPage>;
}

const OPTIONS: OptionNames<ConnectionsQuery> = { link: true, state: true, ...PAGE_OPTIONS };

export const connectionCalls = (connection: Connection): ConnectionCalls => ({
  connections: (usdot, how = {}) => {
    checkOptions<ConnectionsQuery>(how, OPTIONS);
    const { link, state, pageSize: limit = 50, ...options } = how;
    // The service takes 0 for the summary alone: the list would end without an entry.
    if (limit === 0)
      throw new TypeError("pageSize is at least 1. For the summary alone call connectionSummary.");
    const query = { limit, ...(link && { link }), ...(state && { state }) };
    return listByCursor((at) => {
      const asked = { path: { dot: String(usdot) }, query: { ...query, ...at } };
      return ask(connection, (sent) => api.readConnections({ ...sent, ...asked }), options);
    });
  },
  connectionSummary: (usdot, options) => {
    const asked = { path: { dot: String(usdot) }, query: { limit: 0 } };
    return ask(connection, (sent) => api.readConnections({ ...sent, ...asked }), options);
  },
});
