import type { Call } from "./answer.ts";
import { ask, type Connection } from "./call.ts";
import type { FeedCode, FeedFilters, FeedRecord } from "./feeds.ts";
import { readFeedChanges } from "./generated/operations/sdk.gen.ts";
import type { FeedChangeOut, FeedChangesOut, ReadFeedChangesData } from "./generated/operations/types.gen.ts";
import type { OptionNames } from "./options.ts";
import { listByCursor, PAGE_OPTIONS, type PagedList, type PageOptions } from "./pages.ts";

/** What to do to a copy, by `op`: put `record` under its `record_id`, or delete that record. */
export type FeedChange<Code extends FeedCode = FeedCode> = WithRecord<FeedChangeOut, FeedRecord<Code>>;

/** Each kind of change, with this type of record where it has one. */
type WithRecord<Change, Of> = { [Name in keyof Change]: Name extends "record" ? Of : Change[Name] };

/** One page of changes, as the service sends it. After the last one a copy has `meta.checkpoint`. */
export type ChangePage<Code extends FeedCode = FeedCode> = Omit<FeedChangesOut, "data"> & {
  data: FeedChange<Code>[];
};

/**
 * The filters of a feed, `removals` of the copy's checkpoint, the version to reach (the newest unless given), and the kind
 * of changes (all unless given).
 */
export type ChangeFilters<Code extends FeedCode = FeedCode> = Omit<FeedFilters<Code>, "since" | "version"> &
  Pick<NonNullable<ReadFeedChangesData["query"]>, "since_removals" | "to_version" | "op">;

/** How changes are read. */
export interface ChangeOptions extends PageOptions {
  /** Continues behind an earlier page: its `next_cursor`. */
  cursor?: string | null | undefined;
}

/** The names of the options of changes. */
export const CHANGE_OPTIONS: OptionNames<ChangeOptions> = { cursor: true, ...PAGE_OPTIONS };

/** What changed in a feed since a version. */
export const listChanges = <Code extends FeedCode>(
  connection: Connection,
  feed: Code,
  sinceVersion: number,
  filters: ChangeFilters<Code> | undefined,
  { pageSize: limit = 1000, cursor: first, ...options }: ChangeOptions,
): PagedList<ChangePage<Code>> =>
  listByCursor((at) => {
    const query = { ...filters, limit, ...("cursor" in at ? at : { since_version: sinceVersion }) };
    const page = ask(
      connection,
      (sent) => readFeedChanges({ ...sent, path: { code: feed }, query }),
      options,
    );
    return page as Call<ChangePage<Code>>;
  }, first);
