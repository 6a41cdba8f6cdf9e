import { type Connection, call } from "./call.ts";
import { TruckingDataFeedError, VersionEndedError } from "./errors.ts";
import type { FeedCode, FeedFilters, FeedRecord, RecordPage } from "./feeds.ts";
import { readRecords } from "./generated/operations/sdk.gen.ts";

/** How records are read. */
export interface RecordOptions {
  /** Records per request, 1 to 1,000; 1,000 unless given. Every record that is sent counts against the quota. */
  pageSize?: number;
  /** Stops the reading; it then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** The records of a feed, all of one version. Each loop over it reads them again from the start. */
export interface RecordStream<Code extends FeedCode> extends AsyncIterable<FeedRecord<Code>> {
  /** The same by pages, each with the feed's version and as-of date. */
  pages(): AsyncGenerator<RecordPage<Code>, void, undefined>;
}

/** The records that match the filters. Requests are sent while the caller reads. */
export function streamRecords<Code extends FeedCode>(
  connection: Connection,
  feed: Code,
  filters: FeedFilters<Code> | undefined,
  options: RecordOptions,
): RecordStream<Code> {
  const pages = () => readPages(connection, feed, filters, options);
  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const { data } of pages()) yield* data;
    },
  };
}

async function* readPages<Code extends FeedCode>(
  connection: Connection,
  feed: Code,
  filters: FeedFilters<Code> | undefined,
  { pageSize = 1000, signal }: RecordOptions,
): AsyncGenerator<RecordPage<Code>, void, undefined> {
  let pinned: { version?: number } = {};
  for (let page = 1, hasMore = true; hasMore; page += 1) {
    const query = { ...filters, ...pinned, page, page_size: pageSize };
    const { data: answer } = await call(
      connection,
      (sent) => readRecords({ ...sent, path: { code: feed }, query }),
      { signal, isRepeatable: true },
    ).catch((error: unknown) => {
      throw pinned.version === undefined ? error : endOfVersion(feed, pinned.version, error);
    });
    yield answer as RecordPage<Code>;
    pinned = { version: answer.meta.version };
    hasMore = answer.has_more;
  }
}

/** The filters were accepted on the first page, so a filter that is refused later can only be the version. */
function endOfVersion(feed: FeedCode, version: number, error: unknown): unknown {
  const isEnd = error instanceof TruckingDataFeedError && error.code === "invalid_filter";
  return isEnd ? new VersionEndedError(feed, version, error) : error;
}
