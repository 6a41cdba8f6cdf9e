import type { Caller } from "../accounts/keys/caller.ts";
import type { Context } from "../platform/context.ts";
import { ProblemError } from "../platform/http/problem.ts";
import { entitledFeeds } from "./entitlement.ts";
import { selectionOf } from "./records/selection.ts";
import { visibleRowsOf } from "./records/visible-rows.ts";
import { onVersion } from "./versions/versions.ts";

/** How many rows each feed of the plan has in the plan's states. A feed that is not live is left out. */
export async function rowsInPlan(context: Context, caller: Caller): Promise<ReadonlyMap<string, number>> {
  const counts = await Promise.all(
    entitledFeeds(caller).map(({ feed, regions: planRegions }) =>
      onVersion(context, feed, undefined, async (version) => {
        const selection = selectionOf(feed, [], { asOf: version.asOf, planRegions, since: undefined });
        return [feed.code, (await visibleRowsOf(context, version, selection)).count] as const;
      }).catch((error: unknown) => {
        if (error instanceof ProblemError) return null;
        throw error;
      }),
    ),
  );
  return new Map(counts.filter((count) => count !== null));
}
