// Reading a feed page by page. `readRecords` has the steps of a request in order.
import type { Caller } from "../../accounts/keys/caller.ts";
import { chargeRows, countChargedRows } from "../../accounts/usage/quota.ts";
import { countServedRows } from "../../accounts/usage/usage-counter.ts";
import type { components } from "../../generated/types.ts";
import type { Context } from "../../platform/context.ts";
import { perDatabase } from "../../platform/database/per-database.ts";
import { demoFirstDay } from "../../platform/installation/installation.ts";
import { type JsonText, jsonText } from "../../platform/json-text.ts";
import { verifiedOn } from "../../registry/datasets.ts";
import { isFresh } from "../../registry/freshness.ts";
import type { Feed } from "../catalogue.ts";
import { type EntitledFeed, requireEntitled, requireFresh } from "../entitlement.ts";
import { createByteCache, type Keepers } from "../versions/byte-cache.ts";
import type { FeedVersion } from "../versions/feed-version.ts";
import { onVersion } from "../versions/versions.ts";
import { checkpointOf, etagOf, matchesEtag, removalsNumber } from "./checkpoint.ts";
import { fieldsOf } from "./fields.ts";
import { parseFilters, type RawFilters } from "./filters.ts";
import { type AskedPage, FinishedPage, renderPage, rowsOfPage } from "./page.ts";
import { type Selection, selectionOf } from "./selection.ts";
import { visibleRowsOf } from "./visible-rows.ts";

/** The parameters of a feed request, except those of its page. */
export interface FeedQuery {
  /** A YYYY-MM-DD day: records granted or verified on it or later. */
  since?: string;
  /** A feed version's number, instead of the current one. */
  version?: number;
  filters: RawFilters;
  /** The columns of each record; all unless given. */
  fields?: readonly string[];
  ifNoneMatch?: string;
}

export interface RecordsQuery extends FeedQuery {
  page: number;
  page_size: number;
}

export type RecordsAnswer = RecordsPage | { status: 304; headers: { ETag: string }; body: null };

interface RecordsPage {
  status: 200;
  headers: { ETag: string };
  body: JsonText<components["schemas"]["RecordsOut"]>;
  /** Null when the answer is not that of the caller's snapshot. */
  page: AnsweredPage | null;
}

/** A page that is right for the same request while the snapshot of the caller is the same. */
export interface AnsweredPage {
  feed: string;
  ETag: string;
  asOf: string;
}

/**
 * One page of a feed, charged by its rows. An answer that still matches `ifNoneMatch` is 304 and free. ProblemErrors, the
 * first that applies in this order: not_entitled, feed_not_live, invalid_filter, stale_source, quota_exceeded.
 */
export async function readRecords(
  context: Context,
  caller: Caller,
  feedCode: string,
  query: RecordsQuery,
): Promise<RecordsAnswer> {
  const entitled = requireEntitled(caller, feedCode);
  const { ETag, version, page } = await openPage(context, entitled, query, caller);
  if (page === null) return { status: 304, headers: { ETag }, body: null };
  await chargeRows(context, caller, "api", page.rows);
  const answered = { feed: feedCode, ETag, asOf: version.asOf };
  const answer = answerOf(context, caller, answered, page);
  return { ...answer, page: version.isOfSnapshot ? answered : null };
}

function answerOf(
  context: Context,
  caller: Caller,
  { feed, ETag }: AnsweredPage,
  page: FinishedPage,
): Omit<RecordsPage, "page"> {
  countServedRows(context, caller, { feed, form: "json" }, page.rows);
  const sent = () => page.letGo();
  return { status: 200, headers: { ETag }, body: jsonText(page.json, sent) };
}

/** The bytes of an answered page, if they are cached, cost rows, and are fresh enough to be sent now. */
export function findAgain(context: Context, { ETag, asOf }: AnsweredPage): FinishedPage | null {
  const found = pagesOf(context.db).find(ETag);
  return found !== undefined && found.rows > 0 && isFresh(context, asOf) ? found : null;
}

/** The answer of `findAgain` to a caller whose admission has charged its rows. */
export function pageAgain(
  context: Context,
  caller: Caller,
  answered: AnsweredPage,
  page: FinishedPage,
): Omit<RecordsPage, "page"> {
  countChargedRows(context, caller, "api", { rows: page.rows });
  return answerOf(context, caller, answered, page);
}

/**
 * The first rows of a feed in all states, for anybody to see. Null unless the businesses of the database are made up: those of
 * test mode and of the demo are. ProblemErrors as for a page of the API.
 */
export async function madeUpRecords(
  context: Context,
  feed: Feed,
  rows: number,
): Promise<components["schemas"]["RecordsOut"] | null> {
  const first = { filters: new Map(), page: 1, page_size: rows };
  const { page } = await openPage(context, { feed, regions: null }, first);
  if (page === null) throw new Error("A page without a tag was answered as unchanged");
  // Asked afterwards: the import that replaces the demo publishes its feeds and ends the demo in one commit.
  const isMadeUp = context.live !== undefined || (await demoFirstDay(context)) !== null;
  return isMadeUp ? (JSON.parse(String(page.json)) as components["schemas"]["RecordsOut"]) : null;
}

/** A page with its entity tag, not charged yet; null when the caller already has that tag. */
async function openPage(
  context: Context,
  { feed, regions: planRegions }: EntitledFeed,
  query: RecordsQuery,
  caller?: Caller,
): Promise<{ ETag: string; version: FeedVersion; page: FinishedPage | null }> {
  const open = async (version: FeedVersion) => {
    const asked = parseFilters(feed, query.filters, "readRecords");
    const selection = selectionOf(feed, asked, { asOf: version.asOf, planRegions, since: query.since });
    const fields = fieldsOf(version, query.fields);
    requireFresh(context, feed, version.asOf);
    const { page, page_size: pageSize } = query;
    const removals = removalsNumber(caller, version);
    const parts = [PAGE_FORM, selection.key, page, pageSize, removals, ...(fields?.names ?? [])];
    const ETag = etagOf(version, parts);
    if (matchesEtag(query.ifNoneMatch, ETag)) return { ETag, version, page: null };
    const finish = () => finishPage(context, caller, version, { selection, page, pageSize, fields });
    return { ETag, version, page: await pagesOf(context.db).get(ETag, finish) };
  };
  return onVersion(context, feed, query.version, open, { caller });
}

/** Increased when a release adds members to a page: its bytes differ, so its tag must. */
const PAGE_FORM = 3;

/** About 35 pages of 100 records. Repeats come soon after a page, and the rows of other pages are in a file. */
const CACHE_BYTES = 4 * 1024 * 1024;

const PAGE_KEEPERS: Keepers<FinishedPage> = {
  taken: (page) => page.keep(),
  dropped: (page) => page.letGo(),
};

// Bodies by their entity tag, which identifies their bytes.
const pagesOf = perDatabase(() =>
  createByteCache<FinishedPage>(CACHE_BYTES, ({ json }) => json.length, PAGE_KEEPERS),
);

async function finishPage(
  context: Context,
  caller: Caller | undefined,
  version: FeedVersion,
  { selection, ...asked }: AskedPage & { selection: Selection },
): Promise<FinishedPage> {
  const visible = await visibleRowsOf(context, version, selection);
  const pageRows = rowsOfPage(visible, asked);
  const around = JSON.stringify({
    page: asked.page,
    page_size: asked.pageSize,
    has_more: pageRows.hasMore,
    as_of: version.asOf,
    meta: {
      feed: version.feed.code,
      version: version.id,
      scope: { regions: selection.regions },
      total_rows: visible.count,
      checkpoint: await checkpointOf(context, caller, version, selection),
      verified_on: verifiedOn(version.asOf),
    },
  });
  const { fields } = asked;
  const parts = { fields, before: '{"data":[', after: `],${around.slice(1)}` };
  return new FinishedPage(await renderPage(context, version, pageRows, parts), pageRows.rows);
}
