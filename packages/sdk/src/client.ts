import { setTimeout as delay } from "node:timers/promises";
import { ask, type CallOptions, type Connection, type Retry } from "./call.ts";
import { type ChangeFilters, type ChangeOptions, type ChangePage, listChanges } from "./changes.ts";
import { errorOf } from "./error-of.ts";
import { type CarrierEvent, type EventQuery, type EventStream, streamEvents } from "./events.ts";
import { type ExportFormat, type ExportOptions, type FeedExport, openExport } from "./export.ts";
import type { CarrierRecord, Feed, FeedCode, FeedFilters, RecordPage } from "./feeds.ts";
import { createClient as createFetchClient } from "./generated/operations/client/index.ts";
import * as api from "./generated/operations/sdk.gen.ts";
import type {
  CarrierOut,
  CountRecordsData,
  EventType,
  FeedVersionsOut,
  OptOutIn,
  OptOutOut,
  RecordCountOut,
  SourceOut,
  UsageOut,
} from "./generated/operations/types.gen.ts";
import { VERSION } from "./generated/version.ts";
import { listByCursor, type PagedList, type PageOptions } from "./pages.ts";
import { listRecords } from "./records.ts";
import { type SyncOptions, type SyncResult, syncFeed } from "./sync.ts";
import { type WebhookCalls, webhookCalls } from "./webhooks.ts";

/** How to reach the service. */
export interface ClientOptions {
  /** A key of the account, `tdf_live_…`, created in the dashboard. */
  apiKey: string;
  /** The service's address, for example `https://api.example.com`, without `/v1`. */
  baseUrl: string;
  /** Your program's name and version. It goes before the SDK's own in the header `User-Agent`. */
  userAgent?: string;
  /** How long one attempt may take, in milliseconds; 30,000 unless given. */
  timeoutMs?: number;
  /** How often a call is made again after a temporary error; 3 unless given, 0 for never. */
  maxRetries?: number;
  /** The longest wait before a retry; 120 unless given. When the service asks for a longer one, the call fails at once. */
  maxRetryWaitSeconds?: number;
  /** Is called before each wait for a retry, for your log. */
  onRetry?: (retry: Retry) => void;
  /** Takes the place of the global `fetch`, for example to use a proxy. */
  fetch?: typeof fetch;
  /** Takes the place of waiting, for your tests. */
  sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** One carrier over all feeds of the plan. */
export type Carrier = Omit<CarrierOut, "records"> & {
  /** Its records, in the order of `feeds()`. */
  records: CarrierRecord[];
};

/** The service, with one key. Calls that fail reject with TruckingDataFeedError. */
export interface TruckingDataFeed {
  /** The feeds of the plan, with freshness, columns and filters. */
  feeds(options?: CallOptions): Promise<Feed[]>;
  /** The registry's files that feeds come from, with the day of each. */
  sources(options?: CallOptions): Promise<SourceOut[]>;
  /** The records of a feed that match all filters, all of one version, newest authority first. */
  records<Code extends FeedCode>(
    feed: Code,
    filters?: FeedFilters<Code>,
    options?: PageOptions,
  ): PagedList<RecordPage<Code>>;
  /** How many records match, `by` the values of a column too, and what it would cost to read them. Free. */
  count<Code extends FeedCode>(
    feed: Code,
    filters?: FeedFilters<Code> & Pick<NonNullable<CountRecordsData["query"]>, "by">,
    options?: CallOptions,
  ): Promise<RecordCountOut>;
  /**
   * The same records as one file: CSV, NDJSON or Parquet. A download that breaks goes on where it ended. A large Parquet
   * file is made before its first byte, so give the client a `timeoutMs` that allows some seconds for 100,000 rows.
   */
  openExport<Code extends FeedCode, Format extends ExportFormat = "csv">(
    feed: Code,
    filters?: FeedFilters<Code>,
    options?: ExportOptions<Format>,
  ): Promise<FeedExport<Code, Format>>;
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
   * and pays for no page twice. One run at a time may use a folder.
   */
  syncFeed<Code extends FeedCode>(
    folder: string,
    feed: Code,
    filters?: Omit<FeedFilters<Code>, "version" | "since">,
    options?: SyncOptions,
  ): Promise<SyncResult>;
  /** One carrier by its USDOT number. The error code is `not_found` when it is in none of your feeds. */
  carrier(usdot: string | number, options?: CallOptions): Promise<Carrier>;
  /** Changes of operating authority, oldest first. */
  events<Type extends EventType = EventType>(query?: EventQuery<Type>): EventStream<Type>;
  /** One event by its id, also as deliveries name it (`evt_…`). The error code is `not_found` when you may not see it. */
  event(id: number | string, options?: CallOptions): Promise<CarrierEvent>;
  /** This month's counters and limits. */
  usage(options?: CallOptions): Promise<UsageOut>;
  /** The account's webhook endpoints. */
  readonly webhooks: WebhookCalls;
  /** Asks for a business to be removed from everything the service returns. Needs no key. */
  requestRemoval(request: OptOutIn, options?: CallOptions): Promise<OptOutOut>;
}

/** A client of the service. It opens no connection before the first call and needs no closing. */
export function createClient(options: ClientOptions): TruckingDataFeed {
  const connection = connectionOf(options);
  return {
    feeds: async (options) => (await ask(connection, (sent) => api.listFeeds(sent), options)).data as Feed[],
    sources: async (options) => (await ask(connection, (sent) => api.listSources(sent), options)).data,
    records: (feed, filters, how = {}) => listRecords(connection, feed, filters, how),
    count: (code, query, options) => {
      const asked = { path: { code }, query: { ...query } };
      return ask(connection, (sent) => api.countRecords({ ...sent, ...asked }), options);
    },
    openExport: (feed, filters, how = {}) => openExport(connection, feed, filters, how),
    versions: (code, { pageSize: limit = 1000, signal } = {}) =>
      listByCursor((at) => {
        const asked = { path: { code }, query: { limit, ...at } };
        return ask(connection, (sent) => api.listFeedVersions({ ...sent, ...asked }), { signal });
      }),
    changes: (feed, since, filters, how = {}) => listChanges(connection, feed, since, filters, how),
    syncFeed: (folder, feed, filters, how) => syncFeed(connection, folder, feed, filters, how),
    carrier: async (usdot, options) => {
      const path = { dot: String(usdot) };
      return (await ask(connection, (sent) => api.lookUpCarrier({ ...sent, path }), options)) as Carrier;
    },
    events: (query = {}) => streamEvents(connection, query),
    event: async (id, options) => {
      const path = { event_id: Number(String(id).replace(/^evt_/, "")) };
      return (await ask(connection, (sent) => api.readEvent({ ...sent, path }), options)) as CarrierEvent;
    },
    usage: (options) => ask(connection, (sent) => api.readUsage(sent), options),
    webhooks: webhookCalls(connection),
    // The same request again changes nothing.
    requestRemoval: (body, options) =>
      ask(connection, (sent) => api.requestRemoval({ ...sent, body }), options),
  };
}

function connectionOf(options: ClientOptions): Connection {
  const { apiKey, userAgent, fetch } = options;
  if (apiKey.trim() === "") throw new TypeError("apiKey is empty. Give createClient a key of your account.");
  const client = createFetchClient({
    auth: apiKey.trim(),
    baseUrl: checkedBaseUrl(options.baseUrl),
    headers: { "User-Agent": [userAgent, `trucking-data-feed-sdk/${VERSION}`].filter(Boolean).join(" ") },
    // fetch would send the key to the host that a redirect names.
    redirect: "manual",
    parseAs: "json",
    ...(fetch && { fetch }),
  });
  client.interceptors.error.use((error, response) => errorOf(error, response));
  return {
    client,
    timeoutMs: options.timeoutMs ?? 30_000,
    maxRetries: options.maxRetries ?? 3,
    maxRetryWaitSeconds: options.maxRetryWaitSeconds ?? 120,
    onRetry: options.onRetry ?? (() => {}),
    sleep: options.sleep ?? ((ms, signal) => delay(ms, undefined, signal && { signal })),
  };
}

function checkedBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(
      `baseUrl is no address: ${baseUrl}. Give createClient one like https://api.example.com.`,
    );
  }
  if (/\/v1\/?$/.test(url.pathname)) throw new TypeError(`Leave /v1 out of baseUrl: ${baseUrl}.`);
  return baseUrl.replace(/\/+$/, "");
}
