import { type DayOfEvents, newestDayOfEvents } from "../../events/newest-day.ts";
import { listPublishedFeeds, type PublishedFeedShown } from "../../feeds/versions/published-feeds.ts";
import type { EntryContext } from "../../platform/context.ts";

/** What the front page tells anybody. None of its numbers is about one business. */
export interface LiveNumbers {
  feeds: readonly PublishedFeedShown[];
  events: DayOfEvents | null;
}

/** How long numbers are shown before they are read again. */
const FOR_MS = 10_000;

/**
 * A function that gives the numbers, read at most once in ten seconds however many ask. It gives null while the database
 * does not answer.
 */
export function liveNumbersOf(context: EntryContext): () => Promise<LiveNumbers | null> {
  let latest: { readAtMs: number; numbers: Promise<LiveNumbers | null> } | undefined;
  return () => {
    const nowMs = context.clock.now().getTime();
    if (latest === undefined || Math.abs(nowMs - latest.readAtMs) >= FOR_MS) {
      latest = { readAtMs: nowMs, numbers: readNumbers(context) };
    }
    return latest.numbers;
  };
}

async function readNumbers(context: EntryContext): Promise<LiveNumbers | null> {
  try {
    const [feeds, events] = await Promise.all([listPublishedFeeds(context), newestDayOfEvents(context)]);
    return { feeds, events };
  } catch (error) {
    context.log.warn({ err: error }, "The front page shows no numbers: they could not be read.");
    return null;
  }
}
