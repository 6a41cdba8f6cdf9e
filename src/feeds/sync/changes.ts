// Reading what changed in a feed between two versions. `readFeedChanges` has the steps of a request in order.
import { hash } from "node:crypto";
import { chargeOnce } from "../../accounts/exports/export-runs.ts";
import type { Caller } from "../../accounts/keys/caller.ts";
import { regionsSince } from "../../accounts/plans/plans.ts";
import { countServedRows } from "../../accounts/usage/usage-counter.ts";
import type { components } from "../../generated/types.ts";
import type { Context } from "../../platform/context.ts";
import { type Fault, InvalidRequestError, unknownCursor } from "../../platform/http/invalid-request.ts";
import { ProblemError } from "../../platform/http/problem.ts";
import { instanceId } from "../../platform/installation/installation.ts";
import { verifiedOn } from "../../registry/datasets.ts";
import { requireEntitled, requireFresh } from "../entitlement.ts";
import { checkpointOf } from "../records/checkpoint.ts";
import { fieldsOf } from "../records/fields.ts";
import { type AskedFilter, parseFilters, type RawFilters } from "../records/filters.ts";
import { selectionOf } from "../records/selection.ts";
import { keyOf } from "../versions/feed-version.ts";
import { listNumber, removalListState } from "../versions/removals.ts";
import { onVersion } from "../versions/versions.ts";
import { type ChangeEntry, narrowed, type PricedEntry } from "./change-entry.ts";
import {
  type ChangesCursor,
  type ChangesPosition,
  changesCursor,
  readChangesCursor,
} from "./changes-cursor.ts";
import { readSince, requireKnownNumber, returnedSince, stateOfCopy } from "./copy-state.ts";
import { type FeedPath, listSteps, pathBetween } from "./steps.ts";
import { placesAfter, type Walk } from "./walk.ts";

export interface ChangesQuery {
  since_version?: number;
  /** The number of removals of the copy. */
  since_removals?: number;
  to_version?: number;
  op?: ChangeEntry["op"];
  /** The columns of each entry; all unless given. */
  fields?: readonly string[];
  limit: number;
  cursor?: string;
  filters: RawFilters;
}

export type ChangesAnswer = components["schemas"]["FeedChangesOut"];

/** A page looks at so many places at most, so that a rare match does not keep a request waiting. */
const MOST_PLACES = 5_000;

/**
 * One page of the changes that make a copy of the version `since_version` equal to the version `to_version`.
 * Added and changed records are charged. ProblemErrors, the first that applies: not_entitled, feed_not_live,
 * invalid_filter, stale_source, version_expired, quota_exceeded; InvalidRequestError for a wrong cursor.
 */
export async function readFeedChanges(
  context: Context,
  caller: Caller,
  feedCode: string,
  query: ChangesQuery,
): Promise<ChangesAnswer> {
  const { feed, regions: planRegions } = requireEntitled(caller, feedCode);
  const owner = await cursorOwner(context, caller.accountId, feedCode, query);
  const resumed = query.cursor === undefined ? null : readChangesCursor(owner, query.cursor);
  if (query.cursor !== undefined && resumed === null) throw new InvalidRequestError([FOREIGN_CURSOR]);
  const since = resumed?.since ?? query.since_version;
  if (since === undefined) throw new InvalidRequestError([NO_START]);
  const toAsked = resumed?.to ?? query.to_version;
  const problem = resumed === null ? "version_expired" : "cursor_expired";
  const listState = await removalListState(context.db.pool);
  return onVersion(
    context,
    feed,
    toAsked,
    async (version) => {
      const asked = parseFilters(feed, query.filters, "readFeedChanges");
      const fields = fieldsOf(version, query.fields);
      requireFresh(context, feed, version.asOf);
      const isToAsked = query.to_version !== undefined;
      const ends = { since, to: version.id, isToAsked, endStep: resumed?.end ?? null };
      const path = pathBetween(feed, await listSteps(context, feed), ends);
      const begun = resumed ?? {
        since,
        to: version.id,
        end: (path.steps.at(-1) ?? path.start).id,
        position: startOf(path),
        removals: query.since_removals ?? null,
        rows: 0,
        listState,
      };
      await requireKnownNumber(context, begun.removals, problem);
      const walk = await openWalk(context, caller, { feed, path, version, planRegions }, { asked, begun });
      const page = await readPage(context, walk, query, begun, listState);
      const checkpoint = await checkpointOf(context, caller, version, walk.later);
      await chargePage(context, caller, walk, { op: query.op, begun, rows: page.rows });
      countServedRows(context, caller, { feed: feedCode, form: "json" }, page.rows);
      return {
        // A record has the columns of the contract: the version was built from them.
        data: page.found.map(
          ({ entry }) => (fields ? narrowed(entry, fields) : entry) as ChangesAnswer["data"][number],
        ),
        next_cursor: page.next && changesCursor(owner, page.next),
        as_of: version.asOf,
        meta: {
          feed: feedCode,
          since_version: since,
          to_version: version.id,
          checkpoint,
          verified_on: verifiedOn(version.asOf),
        },
      };
    },
    { problem },
  );
}

/** Names everything that must be the same on each page of a walk. */
export const cursorOwner = async (
  context: Context,
  accountId: number,
  feedCode: string,
  { op, filters }: Pick<ChangesQuery, "op" | "filters">,
): Promise<string> =>
  JSON.stringify([await instanceId(context), accountId, feedCode, op ?? null, [...filters]]);

const FOREIGN_CURSOR = unknownCursor(
  "must be next_cursor of an earlier answer to this account, with the same feed, op and filters",
);

const NO_START: Fault = {
  loc: ["query", "since_version"],
  msg: "must be given, unless cursor is: the version of your copy",
  type: "missing",
};

const startOf = ({ steps }: FeedPath): ChangesPosition => ({
  part: "steps",
  step: steps[0]?.id ?? 0,
  ordinal: 0,
});

async function openWalk(
  context: Context,
  caller: Caller,
  way: Pick<Walk, "feed" | "path" | "version" | "planRegions">,
  { asked, begun }: { asked: readonly AskedFilter[]; begun: ChangesCursor },
): Promise<Walk> {
  const { feed, path, version, planRegions } = way;
  const { position, listState, removals: sent } = begun;
  const isAgain = position.part === "removals";
  const copy = isAgain
    ? readSince(sent ?? 0)
    : stateOfCopy(context, path, { sent, newest: listNumber(listState) });
  const regions = await regionsSince(context, caller, feed.code, copy);
  const selected = (asOf: string, states: readonly string[] | null) =>
    selectionOf(feed, asked, { asOf, planRegions: states, since: undefined });
  const { asOf } = isAgain ? version : path.start;
  const later = selected(version.asOf, planRegions);
  return {
    ...way,
    copy,
    returned: await returnedSince(context, copy),
    earlier: { any: selected(asOf, regions.any), all: selected(asOf, regions.all) },
    later,
    selectedKey: JSON.stringify([selected(path.start.asOf, planRegions).key, later.key]),
  };
}

/** Charges a page. The pages of the same way cost their rows once a month, however they are cut: it has an order. */
async function chargePage(
  context: Context,
  caller: Caller,
  { feed, version, selectedKey }: Walk,
  { op, begun, rows }: { op: ChangesQuery["op"] | undefined; begun: ChangesCursor; rows: number },
): Promise<void> {
  const { since, removals, position } = begun;
  const way = [
    feed.code,
    op ?? null,
    since,
    removals ?? -1,
    keyOf(version),
    selectedKey,
    position.part === "removals",
  ];
  const content = hash("sha256", JSON.stringify(way), "base64url");
  const charge = { caller, content, startedAt: context.clock.now() };
  try {
    const price = { rows: rows === 0 ? {} : { "": begun.rows + rows }, before: { "": begun.rows } };
    await chargeOnce(context, "api", charge, price);
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code !== "quota_exceeded") throw error;
    const detail = `${error.message} Removed records are free: read them with op=removed.`;
    throw new ProblemError("quota_exceeded", detail, { retryAfterSeconds: error.retryAfterSeconds ?? 0 });
  }
}

interface FoundPage {
  found: PricedEntry[];
  rows: number;
  /** Null at the end of the walk. */
  next: ChangesCursor | null;
}

async function readPage(
  context: Context,
  walk: Walk,
  { limit, op }: ChangesQuery,
  start: ChangesCursor,
  listState: string,
): Promise<FoundPage> {
  const found: PricedEntry[] = [];
  let [places, rows] = [0, 0];
  let at = start;
  for await (const place of placesAfter(context, walk, at.position)) {
    if (found.length === limit || places === MOST_PLACES) return { found, rows, next: at };
    places += 1;
    at = { ...at, position: place.position };
    if (place.found === null || (op !== undefined && place.found.entry.op !== op)) continue;
    found.push(place.found);
    rows += place.found.rows;
    at.rows += place.found.rows;
  }
  // Where something was removed or shown again meanwhile, the pages may not agree: one more page goes over these rows.
  if ((await removalListState(context.db.pool)) === start.listState) return { found, rows, next: null };
  const removals = listNumber(start.listState);
  return {
    found,
    rows,
    next: { ...at, position: { part: "removals", row: 0 }, removals, rows: 0, listState },
  };
}
