import type { Answer } from "./answer.ts";
import { ask, type Connection } from "./call.ts";
import { TruckingDataFeedError, VersionEndedError } from "./errors.ts";
import type { FeedCode, FeedFilters, RecordPage } from "./feeds.ts";
import { readRecords } from "./generated/operations/sdk.gen.ts";
import { listOf, type PagedList, type PageOptions } from "./pages.ts";

/** The records of a feed, all of one version, that match the filters. */
export const listRecords = <Code extends FeedCode>(
  connection: Connection,
  feed: Code,
  filters: FeedFilters<Code> | undefined,
  options: PageOptions,
): PagedList<RecordPage<Code>> => listOf(() => readPages(connection, feed, filters, options));

async function* readPages<Code extends FeedCode>(
  connection: Connection,
  feed: Code,
  filters: FeedFilters<Code> | undefined,
  { pageSize = 1000, ...options }: PageOptions,
): AsyncGenerator<Answer<RecordPage<Code>>, void, undefined> {
  let pinned: { version?: number } = {};
  for (let page = 1, hasMore = true; hasMore; page += 1) {
    const query = { ...filters, ...pinned, page, page_size: pageSize };
    const call = ask(connection, (sent) => readRecords({ ...sent, path: { code: feed }, query }), options);
    const answer = await call.withResponse().catch((error: unknown) => {
      throw pinned.version === undefined ? error : endOfVersion(feed, pinned.version, error);
    });
    yield answer as Answer<RecordPage<Code>>;
    pinned = { version: answer.data.meta.version };
    hasMore = answer.data.has_more;
  }
}

/** The filters were accepted on the first page, so a filter that is refused later can only be the version. */
function endOfVersion(feed: FeedCode, version: number, error: unknown): unknown {
  const isEnd = error instanceof TruckingDataFeedError && error.code === "invalid_filter";
  return isEnd ? new VersionEndedError(feed, version, error) : error;
}
