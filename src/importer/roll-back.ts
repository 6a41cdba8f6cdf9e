import { withdrawDetected } from "../events/detect/detect.ts";
import { EVENT_TYPE_FEEDS, EVENT_TYPES } from "../events/event-types.ts";
import { type RolledBack, rollBackFeed } from "../feeds/publish/rollback.ts";
import { FEED_RULES } from "../feeds/rules/feed-rules.ts";
import { heldFeeds } from "../feeds/versions/feeds-list.ts";
import type { Context } from "../platform/context.ts";
import type { Queryable } from "../platform/database/statement.ts";
import { Refusal } from "./read/refusal.ts";

/** A rollback, and how many events it withdrew. */
export type FeedRolledBack = RolledBack & { events_withdrawn: number };

/**
 * Takes the served version of a feed back, and withdraws the events that rest on its import: those of the feed's event types
 * and classes of authority that were detected since it was published. OperatorError as rollBackFeed has it.
 */
export async function rollBack(context: Context, code: string): Promise<FeedRolledBack> {
  let withdrawn = 0;
  const done = await rollBackFeed(context, code, async (client, { feed, publishedAt }) => {
    withdrawn = await withdrawDetected(client, {
      types: EVENT_TYPES.filter((type) => EVENT_TYPE_FEEDS[type].includes(feed)),
      classes: FEED_RULES[feed].classes,
      since: publishedAt,
      now: context.clock.now(),
    });
  });
  return { ...done, events_withdrawn: withdrawn };
}

/** Refuses an import while a rollback holds: the same files would undo it. */
export async function requireNoHeldFeeds(client: Queryable): Promise<void> {
  const held = await heldFeeds(client);
  if (held.length === 0) return;
  throw new Refusal(
    `${held.join(", ")} ${held.length === 1 ? "was" : "were"} rolled back, so nothing is imported. Look at the result with ` +
      "--preview; if the files are right now, add --release.",
    "rolled-back",
  );
}
