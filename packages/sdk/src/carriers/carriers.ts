import type { Call } from "../answer.ts";
import { ask, type CallOptions, type Connection } from "../call.ts";
import type { CarrierRecord } from "../feeds.ts";
import * as api from "../generated/operations/sdk.gen.ts";
import type {
  CarrierLookupIn,
  CarrierLookupsOut,
  CarrierOut,
  CarriersOut,
  ReadTimelineData,
  SearchCarriersData,
  TimelineEntryOut,
  TimelineOut,
} from "../generated/operations/types.gen.ts";
import { checkOptions, type OptionNames } from "../options.ts";
import { listByCursor, PAGE_OPTIONS, type PagedList, type PageOptions } from "../pages.ts";

/** One carrier over all feeds of the plan. */
export type Carrier = Omit<CarrierOut, "records"> & {
  /** Its records, in the order of `feeds()`. */
  records: CarrierRecord[];
};

/** What numbers of carriers stand for, in the order asked. */
export type CarrierLookups = Omit<CarrierLookupsOut, "data"> & {
  data: (Omit<CarrierLookupsOut["data"][number], "carrier"> & { carrier: Omit<Carrier, "events"> | null })[];
};

/** Either a name or a docket number, and how many carriers to find at most. */
export type CarrierSearch = NonNullable<SearchCarriersData["query"]>;

/** Which entries of a timeline to read, and how many a page. */
export type TimelineQuery = Omit<NonNullable<ReadTimelineData["query"]>, "limit" | "cursor"> & PageOptions;
/** A page of what happened to a carrier. */
export type TimelinePage = TimelineOut;
/** Something that happened to a carrier. */
export type TimelineEntry = TimelineEntryOut;

/** Carriers that a search found, best first. */
export type CarriersFound = CarriersOut;

export interface CarrierCalls {
  /** One carrier by its USDOT number. The error code is `not_found` when it is in none of your feeds. */
  carrier(usdot: string | number, options?: CallOptions): Call<Carrier>;
  /** What up to 1,000 USDOT and docket numbers stand for, in the order asked. One row for each carrier found. */
  carriers(numbers: CarrierLookupIn, options?: CallOptions): Call<CarrierLookups>;
  /** Carriers of your feeds with a name like this one, best first, or with a docket number. One row for each. */
  searchCarriers(query: CarrierSearch, options?: CallOptions): Call<CarriersFound>;
  /** What happened to a carrier, newest first. One row a page. */
  timeline(usdot: string | number, query?: TimelineQuery): PagedList<TimelinePage>;
}

const TIMELINE_OPTIONS: OptionNames<TimelineQuery> = { category: true, since: true, ...PAGE_OPTIONS };

export const carrierCalls = (connection: Connection): CarrierCalls => ({
  carrier: (usdot, options) => {
    const path = { dot: String(usdot) };
    return ask(
      connection,
      (sent) => api.lookUpCarrier({ ...sent, path }),
      options,
    ) as unknown as Call<Carrier>;
  },
  carriers: (body, options) =>
    ask(
      connection,
      (sent) => api.lookUpCarriers({ ...sent, body }),
      options,
    ) as unknown as Call<CarrierLookups>,
  searchCarriers: (query, options) =>
    ask(connection, (sent) => api.searchCarriers({ ...sent, query }), options),
  timeline: (usdot, how = {}) => {
    checkOptions<TimelineQuery>(how, TIMELINE_OPTIONS);
    const { category, since, pageSize: limit = 500, ...options } = how;
    const query = { limit, ...(category && { category }), ...(since && { since }) };
    return listByCursor((at) => {
      const asked = { path: { dot: String(usdot) }, query: { ...query, ...at } };
      return ask(connection, (sent) => api.readTimeline({ ...sent, ...asked }), options);
    });
  },
});
