import { type DayOfEvents, newestDayOfEvents } from "../../events/newest.ts";
import { FEEDS, type FeedCode } from "../../feeds/catalogue.ts";
import { type RowsByState, rowsByState } from "../../feeds/records/count.ts";
import { listPublishedFeeds, type PublishedFeedShown } from "../../feeds/versions/feeds-list.ts";
import type { EntryContext } from "../../platform/context.ts";
import { ProblemError } from "../../platform/http/problem.ts";

/** What public pages tell anybody. None of its numbers is about one business. */
export interface LiveNumbers {
  feeds: readonly PublishedFeedShown[];
  events: DayOfEvents | null;
}

/** How long a value is shown before it is read again. */
const FOR_MS = 10_000;

/**
 * A function that gives a value, read at most once in ten seconds however many ask. It gives null while the database does
 * not answer; `missing` says so in the log.
 */
export function readNowAndThen<T>(
  context: EntryContext,
  read: () => Promise<T>,
  missing: string,
): () => Promise<T | null> {
  let latest: { readAtMs: number; value: Promise<T | null> } | undefined;
  const readOrNull = async (): Promise<T | null> => {
    try {
      return await read();
    } catch (error) {
      context.log.warn({ err: error }, missing);
      return null;
    }
  };
  return () => {
    const nowMs = context.clock.now().getTime();
    if (latest === undefined || Math.abs(nowMs - latest.readAtMs) >= FOR_MS) {
      latest = { readAtMs: nowMs, value: readOrNull() };
    }
    return latest.value;
  };
}

/** The numbers of every feed and of the newest day of events. */
export const liveNumbersOf = (context: EntryContext): (() => Promise<LiveNumbers | null>) =>
  readNowAndThen(
    context,
    async () => {
      const [feeds, events] = await Promise.all([listPublishedFeeds(context), newestDayOfEvents(context)]);
      return { feeds, events };
    },
    "Public pages show no numbers: they could not be read.",
  );

/** The rows of each feed by state. Null while the feed is not live or stale, or the database does not answer. */
export function stateNumbersOf(context: EntryContext): (code: FeedCode) => Promise<RowsByState | null> {
  const readers = new Map(
    FEEDS.map((feed) => [
      feed.code,
      readNowAndThen(
        context,
        () =>
          rowsByState(context, feed).catch((error: unknown) => {
            if (error instanceof ProblemError) return null;
            throw error;
          }),
        "The page of a feed shows no map: its rows by state could not be read.",
      ),
    ]),
  );
  return async (code) => (await readers.get(code)?.()) ?? null;
}
