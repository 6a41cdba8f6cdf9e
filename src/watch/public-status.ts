import { type FeedState, feedStates } from "../feeds/versions/feeds-list.ts";
import type { Context } from "../platform/context.ts";

/** What anybody may know of the service: which feeds are served. Nothing of it is about a customer. */
export interface PublicStatus {
  status: "served" | "partly_served" | "not_served";
  checked_at: string;
  feeds: {
    feed: string;
    name: string;
    served: boolean;
    /** When the version that is served was published; else when the feed became stale. Null: it was never live. */
    since: string | null;
    as_of: string | null;
  }[];
}

export async function publicStatus(context: Context): Promise<PublicStatus> {
  const states = await feedStates(context);
  const served = states.filter(({ isServed }) => isServed).length;
  const partly = served === 0 ? "not_served" : "partly_served";
  return {
    status: served === states.length ? "served" : partly,
    checked_at: context.clock.now().toISOString(),
    feeds: states.map(shown),
  };
}

const shown = ({ feed, name, isServed, since, asOf }: FeedState): PublicStatus["feeds"][number] => ({
  feed,
  name,
  served: isServed,
  since: since?.toISOString() ?? null,
  as_of: asOf,
});
