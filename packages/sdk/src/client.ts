import { type KeyCalls, keyCalls } from "./account/keys.ts";
import { type TestModeCalls, testModeCalls } from "./account/test-mode.ts";
import { type Call, callOf, mapped } from "./answer.ts";
import { ask, type CallOptions } from "./call.ts";
import { type CarrierCalls, carrierCalls } from "./carriers/carriers.ts";
import { type ConnectionCalls, connectionCalls } from "./carriers/connections.ts";
import {
  CHANGE_OPTIONS,
  type ChangeFilters,
  type ChangeOptions,
  type ChangePage,
  listChanges,
} from "./changes.ts";
import { type ClientOptions, connectionOf } from "./connection.ts";
import { CORRECTION_OPTIONS, type CorrectionQuery, listCorrections } from "./corrections.ts";
import {
  type CarrierEvent,
  EVENT_OPTIONS,
  type EventQuery,
  type EventStream,
  streamEvents,
} from "./events.ts";
import { type ExportFormat, type ExportOptions, type FeedExport, openExport } from "./export.ts";
import type { Feed, FeedCode, FeedFilters, FeedRecord, RecordPage } from "./feeds.ts";
import * as api from "./generated/operations/sdk.gen.ts";
import type {
  CarrierChangesOut,
  CorrectionsOut,
  CountRecordsData,
  EventType,
  FeedVersionsOut,
  OptOutIn,
  OptOutOut,
  RecordCountOut,
  SourceOut,
  UsageOut,
} from "./generated/operations/types.gen.ts";
import { checkOptions } from "./options.ts";
import { listByCursor, PAGE_OPTIONS, type PagedList, type PageOptions } from "./pages.ts";
import { listRecords, RECORD_OPTIONS, type RecordOptions } from "./records.ts";
import { type SyncOptions, type SyncResult, syncFeed } from "./sync/sync.ts";
import {
  type CarrierChangeQuery,
  listCarrierChanges,
  type WatchlistCalls,
  watchlistCalls,
} from "./watchlists.ts";
import { type WebhookCalls, webhookCalls } from "./webhooks/webhook-calls.ts";

/**
 * The service, with one key. Calls that fail reject with TruckingDataFeedError. `withResponse()` of a call, or of the pages of
 * a list, adds what it cost and what is left.
 */
export interface TruckingDataFeed extends CarrierCalls, ConnectionCalls, TestModeCalls {
  /** The feeds of the plan, with freshness, columns and filters. */
  feeds(options?: CallOptions): Call<Feed[]>;
  /** The registry's files that feeds come from, with the day of each. */
  sources(options?: CallOptions): Call<SourceOut[]>;
  /** The records of a feed that match all filters, all of one version, newest authority first. */
  records<Code extends FeedCode, Column extends keyof FeedRecord<Code> & string = never>(
    feed: Code,
    filters?: FeedFilters<Code>,
    options?: RecordOptions<Column>,
  ): PagedList<RecordPage<Code, Column>>;
  /** How many records match, `by` the values of a column too, and what it would cost to read them. Free. */
  count<Code extends FeedCode>(
    feed: Code,
    filters?: FeedFilters<Code> & Pick<NonNullable<CountRecordsData["query"]>, "by">,
    options?: CallOptions,
  ): Call<RecordCountOut>;
  /**
   * The same records as one file: CSV, NDJSON or Parquet. A download that breaks goes on where it ended. A large Parquet
   * file is made before its first byte, so give the client a `timeoutMs` that allows some seconds for 100,000 rows.
   */
  openExport<Code extends FeedCode, Format extends ExportFormat = "csv">(
    feed: Code,
    filters?: FeedFilters<Code>,
    options?: ExportOptions<Format>,
  ): Call<FeedExport<Code, Format>>;
  /** The versions of a feed, newest first, with what changed in each. Free. */
  versions(feed: FeedCode, options?: PageOptions): PagedList<FeedVersionsOut>;
  /** What to do to a copy of a version so that it equals a later one. `syncFeed` does all of it. */
  changes<Code extends FeedCode>(
    feed: Code,
    sinceVersion: number,
    filters?: ChangeFilters<Code>,
    options?: ChangeOptions,
  ): PagedList<ChangePage<Code>>;
  /**
   * Brings a copy of the feed in `folder` up to date: changes since the last run, or all records at first. The file
   * changes in one step after the copy was compared with the service's checkpoint. A run that was killed loses nothing
   * and pays for no page of changes twice. All records come as an export, which may begin again without further cost, or
   * by pages if the key has no scope `export:read`. One run at a time may use a folder.
   */
  syncFeed<Code extends FeedCode>(
    folder: string,
    feed: Code,
    filters?: Omit<FeedFilters<Code>, "version" | "since">,
    options?: SyncOptions,
  ): Promise<SyncResult>;
  /** Changes of operating authority, oldest first. */
  events<Type extends EventType = EventType>(query?: EventQuery<Type>): EventStream<Type>;
  /**
   * What events told wrongly, oldest first: `changed` or `withdrawn`, with the event as it is now. Store
   * `meta.resume_cursor` of a page to go on behind it. Free.
   */
  corrections(query?: CorrectionQuery): PagedList<CorrectionsOut>;
  /** One event by its id, also as deliveries name it (`evt_…`). The error code is `not_found` when you may not see it. */
  event(id: number | string, options?: CallOptions): Call<CarrierEvent>;
  /**
   * What changed at the carriers on your watchlists, oldest first, with the values before and after. Store `meta.resume_cursor`
   * of a page to go on behind it. Free.
   */
  carrierChanges(query?: CarrierChangeQuery): PagedList<CarrierChangesOut>;
  /** The account's watchlists. */
  readonly watchlists: WatchlistCalls;
  /** The account's API keys. */
  readonly keys: KeyCalls;
  /** This month's counters and limits. */
  usage(options?: CallOptions): Call<UsageOut>;
  /** The account's webhook endpoints. */
  readonly webhooks: WebhookCalls;
  /** Asks for a business to be removed from everything the service returns. Needs no key. */
  requestRemoval(request: OptOutIn, options?: CallOptions): Call<OptOutOut>;
}

/** A client of the service. It opens no connection before the first call and needs no closing. */
export function createClient(options: ClientOptions): TruckingDataFeed {
  const connection = connectionOf(options);
  return {
    feeds: (options) =>
      mapped(
        ask(connection, (sent) => api.listFeeds(sent), options),
        ({ data }) => data as Feed[],
      ),
    sources: (options) =>
      mapped(
        ask(connection, (sent) => api.listSources(sent), options),
        ({ data }) => data,
      ),
    records: (feed, filters, how = {}) => {
      checkOptions<RecordOptions>(how, RECORD_OPTIONS);
      return listRecords(connection, feed, filters, how);
    },
    count: (code, query, options) => {
      const asked = { path: { code }, query: { ...query } };
      return ask(connection, (sent) => api.countRecords({ ...sent, ...asked }), options);
    },
    openExport: (feed, filters, how = {}) => callOf(openExport(connection, feed, filters, how)),
    versions: (code, how = {}) => {
      checkOptions(how, PAGE_OPTIONS);
      const { pageSize: limit = 1000, ...options } = how;
      return listByCursor((at) => {
        const asked = { path: { code }, query: { limit, ...at } };
        return ask(connection, (sent) => api.listFeedVersions({ ...sent, ...asked }), options);
      });
    },
    changes: (feed, since, filters, how = {}) => {
      checkOptions(how, CHANGE_OPTIONS);
      return listChanges(connection, feed, since, filters, how);
    },
    syncFeed: async (folder, feed, filters, how = {}) => {
      checkOptions(how, PAGE_OPTIONS);
      return syncFeed(connection, folder, feed, filters, how);
    },
    ...carrierCalls(connection),
    ...connectionCalls(connection),
    events: (query = {}) => {
      checkOptions<EventQuery>(query, EVENT_OPTIONS);
      return streamEvents(connection, query);
    },
    corrections: (query = {}) => {
      checkOptions<CorrectionQuery>(query, CORRECTION_OPTIONS);
      return listCorrections(connection, query);
    },
    event: (id, options) => {
      const path = { event_id: Number(String(id).replace(/^evt_/, "")) };
      return ask(
        connection,
        (sent) => api.readEvent({ ...sent, path }),
        options,
      ) as unknown as Call<CarrierEvent>;
    },
    ...testModeCalls(connection),
    usage: (options) => ask(connection, (sent) => api.readUsage(sent), options),
    carrierChanges: (query = {}) => listCarrierChanges(connection, query),
    watchlists: watchlistCalls(connection),
    keys: keyCalls(connection),
    webhooks: webhookCalls(connection),
    // The same request again changes nothing.
    requestRemoval: (body, options) =>
      ask(connection, (sent) => api.requestRemoval({ ...sent, body }), options),
  };
}
