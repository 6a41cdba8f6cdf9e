import type { Caller } from "../../accounts/keys/caller.ts";
import * as sql from "../../generated/sql/feeds/sync.ts";
import type { components } from "../../generated/types.ts";
import { DAY_MS } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import { openCursor, sealCursor } from "../../platform/http/cursor.ts";
import { type Fault, InvalidRequestError, unknownCursor } from "../../platform/http/invalid-request.ts";
import { ProblemError } from "../../platform/http/problem.ts";
import { instanceId } from "../../platform/installation/installation.ts";
import { verifiedOn } from "../../registry/datasets.ts";
import type { Feed } from "../catalogue.ts";
import { requireEntitled } from "../entitlement.ts";
import { type Checkpoint, checkpointOf, digestText } from "../records/checkpoint.ts";
import { selectionOf } from "../records/selection.ts";
import { onVersion } from "../versions/versions.ts";

/** For how long the changes of a version can be read. */
export const CHANGES_KEPT_DAYS = 90;

/** State, or the empty text for none, → counts of a version and of the step that led to it. */
export type StepStates = Readonly<
  Record<string, { rows: number; digest: string; added: number; changed: number; removed: number }>
>;

export type FeedStep = sql.ListStepsRow;

/** The steps of the last CHANGES_KEPT_DAYS days, oldest first. */
export const listSteps = (context: Context, feed: Feed): Promise<FeedStep[]> =>
  sql.listSteps(context.db.pool, { feed: feed.code, since: keptSince(context) });

type Publication = sql.ListPublicationsRow;

/** Their publications, newest first: at most `most`, of steps before the one with the id `before` if it is not null. */
const listPublications = (
  context: Context,
  feed: Feed,
  page: { before: number | null; most: number },
): Promise<Publication[]> =>
  sql.listPublications(context.db.pool, { feed: feed.code, since: keptSince(context), ...page });

/** In test mode the changes of the fixture registry are kept for ever. */
const keptSince = ({ clock, live }: Context): Date =>
  new Date(live === undefined ? clock.now().getTime() - CHANGES_KEPT_DAYS * DAY_MS : 0);

/** The way of a feed's readers from one version to another. */
export interface FeedPath {
  /** The step that led to the version at the start, which is not part of the way. */
  start: FeedStep;
  steps: readonly FeedStep[];
}

/**
 * The shortest way from the version `since` to the version `to`, over rollbacks too. ProblemError version_expired when
 * there is none: `since` is unknown or too old, or the versions between can't be compared. InvalidRequestError when the
 * caller asked for a `to` before `since`. `endStep`: the step that the way ends with, where a walk began it; null: the last one.
 */
export function pathBetween(
  feed: Feed,
  all: readonly FeedStep[],
  {
    since,
    to,
    isToAsked,
    endStep,
  }: { since: number; to: number; isToAsked: boolean; endStep: number | null },
): FeedPath {
  const end = all.findLastIndex(
    ({ id, toVersion }) => toVersion === to && (endStep === null || id === endStep),
  );
  const begin = all.findLastIndex(({ toVersion }, at) => at <= end && toVersion === since);
  const start = all[begin];
  const steps = all.slice(begin + 1, end + 1);
  if (start === undefined && isToAsked && since > to) throw new InvalidRequestError([BACKWARDS]);
  if (start === undefined || steps.some(({ fromVersion }) => fromVersion === null)) {
    throw new ProblemError(
      "version_expired",
      `The changes of ${feed.code} since version ${since} can't be told: it is not a version of this feed, it is older ` +
        `than ${CHANGES_KEPT_DAYS} days, or the feed began anew since. Take an export, and continue from its version.`,
    );
  }
  return { start, steps };
}

const BACKWARDS: Fault = {
  loc: ["query", "since_version"],
  msg: "must not be above to_version: changes lead from an earlier version to a later one",
  type: "value_error",
};

export type VersionsAnswer = components["schemas"]["FeedVersionsOut"];

const FORM = "fv1";

/**
 * The versions of a feed that changes can be read of, newest first, with counts for the states of the caller's plan.
 * Free. ProblemErrors not_entitled, feed_not_live; InvalidRequestError for a wrong cursor.
 */
export async function listFeedVersions(
  context: Context,
  caller: Caller,
  feedCode: string,
  query: { limit: number; cursor?: string },
): Promise<VersionsAnswer> {
  const { feed, regions } = requireEntitled(caller, feedCode);
  const owner = JSON.stringify([await instanceId(context), caller.accountId, feedCode]);
  const before = positionOf(owner, query.cursor);
  return onVersion(context, feed, undefined, async (current) => {
    const found = await listPublications(context, feed, { before, most: query.limit + 1 });
    const page = found.slice(0, query.limit);
    const selection = selectionOf(feed, [], { asOf: current.asOf, planRegions: regions, since: undefined });
    const live = await checkpointOf(context, caller, current, selection);
    const data = page.map((step) => versionOut(step, regions, step.toVersion === current.id ? live : null));
    const last = page.at(-1);
    const hasMore = last !== undefined && found.length > page.length;
    return {
      data,
      next_cursor: hasMore ? sealCursor(FORM, owner, [last.id]) : null,
      meta: { feed: feed.code, current_version: current.id, scope: { regions: regions && [...regions] } },
    };
  });
}

/** The step that the page goes on before; null: it is the first page. */
function positionOf(owner: string, cursor: string | undefined): number | null {
  if (cursor === undefined) return null;
  const parts = openCursor(FORM, owner, cursor);
  if (parts === null) throw new InvalidRequestError([FOREIGN_CURSOR]);
  return Number(parts[0]);
}

const FOREIGN_CURSOR = unknownCursor(
  "must be next_cursor of an earlier answer to this account about this feed",
);

/**
 * A version as it was published, counted in these states. `live` is its checkpoint without the records removed since.
 */
function versionOut(
  step: Publication,
  regions: readonly string[] | null,
  live: Checkpoint | null,
): VersionsAnswer["data"][number] {
  const counted = Object.entries(step.states).flatMap(([state, counts]) =>
    regions === null || regions.includes(state) ? [counts] : [],
  );
  const sumOf = (name: "rows" | "added" | "changed" | "removed"): number =>
    counted.reduce((sum, counts) => sum + counts[name], 0);
  const sumOfChanges = (name: "added" | "changed" | "removed"): number | null =>
    step.fromVersion === null ? null : sumOf(name);
  const digest = digestText(counted.reduce((sum, counts) => sum + BigInt(counts.digest), 0n));
  const checkpoint = live ?? { version: step.toVersion, rows: sumOf("rows"), digest, removals: null };
  return {
    version: step.toVersion,
    as_of: step.asOf,
    verified_on: verifiedOn(step.asOf),
    published_at: step.publishedAt.toISOString(),
    rows: checkpoint.rows,
    checkpoint,
    previous: step.fromVersion,
    added: sumOfChanges("added"),
    changed: sumOfChanges("changed"),
    removed: sumOfChanges("removed"),
    cause: step.cause === "rules" ? "rules" : "registry",
    rolled_back_at: step.rolledBackAt?.toISOString() ?? null,
  };
}
