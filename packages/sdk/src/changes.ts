import { ask, type Connection } from "./call.ts";
import type { FeedCode, FeedFilters, FeedRecord } from "./feeds.ts";
import { readFeedChanges } from "./generated/operations/sdk.gen.ts";
import type { FeedChangeOut, FeedChangesOut, ReadFeedChangesData } from "./generated/operations/types.gen.ts";
import { listByCursor, type PagedList, type PageOptions } from "./pages.ts";

/** What to do to a copy: put `record` under its `record_id`, or delete that record where there is none. */
export type FeedChange<Code extends FeedCode = FeedCode> = Omit<FeedChangeOut, "record"> & {
  record?: FeedRecord<Code>;
};

/** One page of changes, as the service sends it. After the last one a copy has `meta.checkpoint`. */
export type ChangePage<Code extends FeedCode = FeedCode> = Omit<FeedChangesOut, "data"> & {
  data: FeedChange<Code>[];
};

/** The filters of a feed, the version to reach (the newest unless given), and the kind of changes (all unless given). */
export type ChangeFilters<Code extends FeedCode = FeedCode> = Omit<FeedFilters<Code>, "since" | "version"> &
  Pick<NonNullable<ReadFeedChangesData["query"]>, "to_version" | "op">;

/** How changes are read. */
export interface ChangeOptions extends PageOptions {
  /** Continues behind an earlier page: its `next_cursor`. */
  cursor?: string | null | undefined;
}

/** What changed in a feed since a version. */
export const listChanges = <Code extends FeedCode>(
  connection: Connection,
  feed: Code,
  sinceVersion: number,
  filters: ChangeFilters<Code> | undefined,
  { pageSize: limit = 1000, cursor: first, signal }: ChangeOptions,
): PagedList<ChangePage<Code>> =>
  listByCursor(async (at) => {
    const query = { ...filters, limit, ...("cursor" in at ? at : { since_version: sinceVersion }) };
    const page = await ask(connection, (sent) => readFeedChanges({ ...sent, path: { code: feed }, query }), {
      signal,
    });
    return page as ChangePage<Code>;
  }, first);
