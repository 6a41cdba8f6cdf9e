import type { Answer } from "./answer.ts";
import { ask, type Connection } from "./call.ts";
import { TruckingDataFeedError, VersionEndedError } from "./errors.ts";
import type { FeedCode, FeedFilters, RecordPage } from "./feeds.ts";
import { readRecords } from "./generated/operations/sdk.gen.ts";
import type { OptionNames } from "./options.ts";
import { listOf, PAGE_OPTIONS, type PagedList, type PageOptions } from "./pages.ts";

/** How records are read. */
export interface RecordOptions<Column extends string = string> extends PageOptions {
  /** The columns of each record, beside `record_id`; all unless given. They change no cost. */
  fields?: readonly Column[] | undefined;
}

/** The names of the options of records. */
export const RECORD_OPTIONS: OptionNames<RecordOptions> = { fields: true, ...PAGE_OPTIONS };

/** The records of a feed, all of one version, that match the filters. */
export const listRecords = <Code extends FeedCode, Column extends string>(
  connection: Connection,
  feed: Code,
  filters: FeedFilters<Code> | undefined,
  options: RecordOptions<Column>,
): PagedList<RecordPage<Code, Column>> => listOf(() => readPages(connection, feed, filters, options));

async function* readPages<Code extends FeedCode, Column extends string>(
  connection: Connection,
  feed: Code,
  filters: FeedFilters<Code> | undefined,
  { pageSize = 1000, fields, ...options }: RecordOptions<Column>,
): AsyncGenerator<Answer<RecordPage<Code, Column>>, void, undefined> {
  let pinned: { version?: number } = {};
  for (let page = 1, hasMore = true; hasMore; page += 1) {
    const asked = fields === undefined ? {} : { fields: [...fields] };
    const query = { ...filters, ...asked, ...pinned, page, page_size: pageSize };
    const call = ask(connection, (sent) => readRecords({ ...sent, path: { code: feed }, query }), options);
    const answer = await call.withResponse().catch((error: unknown) => {
      throw pinned.version === undefined ? error : endOfVersion(feed, pinned.version, error);
    });
    yield answer as unknown as Answer<RecordPage<Code, Column>>;
    pinned = { version: answer.data.meta.version };
    hasMore = answer.data.has_more;
  }
}

/** The filters were accepted on the first page, so a filter that is refused later can only be the version. */
function endOfVersion(feed: FeedCode, version: number, error: unknown): unknown {
  const isEnd = error instanceof TruckingDataFeedError && error.code === "invalid_filter";
  return isEnd ? new VersionEndedError(feed, version, error) : error;
}
