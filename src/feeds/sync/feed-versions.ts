import type { Caller } from "../../accounts/keys/caller.ts";
import type { components } from "../../generated/types.ts";
import type { Context } from "../../platform/context.ts";
import { openCursor, sealCursor } from "../../platform/http/cursor.ts";
import { InvalidRequestError, unknownCursor } from "../../platform/http/invalid-request.ts";
import { instanceId } from "../../platform/installation/installation.ts";
import { verifiedOn } from "../../registry/datasets.ts";
import { requireEntitled } from "../entitlement.ts";
import { selectionOf } from "../records/selection.ts";
import { onVersion } from "../versions/versions.ts";
import { type Checkpoint, checkpointOf, digestText } from "./checkpoint.ts";
import { listPublications, type Publication } from "./steps.ts";

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
  };
}
