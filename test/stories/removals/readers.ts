// Readers of a removed business: they poll while it is removed, and look afterwards.
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import { EVERYTHING } from "../../support/feeds/served-feeds.ts";
import { removeBusinesses } from "../../support/removals/removals.ts";
import type { TestService } from "../../support/service.ts";
import type { Business } from "./businesses.ts";
import { type Reader, type ReadingPath, readingPaths } from "./reading-paths.ts";

const POLL_EVERY_MS = 10;

/** Polls every path, removes the business meanwhile, and polls on. Returns how long after that one path had it. */
export async function removeWhilePolled(
  { context }: TestService,
  { usdot }: Business,
  paths: readonly ReadingPath[],
): Promise<number> {
  let isBeingRemoved = false;
  let isOver = false;
  let removedAtMs = Number.POSITIVE_INFINITY;
  let lastSeenAtMs = 0;
  const shown = new Set<ReadingPath>();
  const { promise: everyPathShows, resolve: goOn } = Promise.withResolvers<void>();
  const poll = async (one: ReadingPath): Promise<void> => {
    for (let isAfter = false; !isAfter && !isOver; await delay(POLL_EVERY_MS)) {
      isAfter = performance.now() > removedAtMs;
      const isSeen = await one.sees();
      // In between both answers are right.
      if (isSeen && isAfter) throw new Error(`${one.name}: ${usdot} is still there.`);
      if (!isSeen && !isBeingRemoved) throw new Error(`${one.name}: ${usdot} is not there.`);
      if (isSeen) lastSeenAtMs = performance.now();
      // A way that shows it at once waits for those that take longer, and does not slow them down.
      if (shown.add(one).size === paths.length) goOn();
      await everyPathShows;
    }
  };
  const polls = paths.map(poll);
  try {
    const polling = Promise.all(polls);
    await Promise.race([everyPathShows, polling]);
    // Meanwhile every reader asks again, so that the removal meets requests of all ways.
    await delay(2 * POLL_EVERY_MS);
    isBeingRemoved = true;
    await removeBusinesses(context.db, [usdot]);
    removedAtMs = performance.now();
    await polling;
  } finally {
    // After a failure no other reader goes on: it would slow down every test that follows.
    isOver = true;
    goOn();
    await Promise.allSettled(polls);
  }
  return Math.max(0, lastSeenAtMs - removedAtMs);
}

/** The businesses that each way of reading shows. */
export async function whoIsSeen(reader: Reader, businesses: readonly Business[]): Promise<string[]> {
  const seen: string[] = [];
  for (const business of businesses) {
    for (const { name, sees } of await readingPaths(reader, business)) {
      if (await sees()) seen.push(`${name} ${business.usdot}`);
    }
  }
  return seen;
}

/** One of the ways is enough: what they have in common is that the business is not on the list any more. */
export async function isShownAgain(reader: Reader, business: Business): Promise<boolean> {
  const paths = await readingPaths(reader, business);
  const events = paths.find(({ name }) => name === `${reader.url} events by since`);
  return (await events?.sees()) === true;
}

/** Rows of removed businesses in whole exports. */
export async function rowsOfRemoved(
  { context }: TestService,
  { key, urls }: { key: string; urls: readonly string[] },
): Promise<string[]> {
  const { rows } = await context.db.pool.query<{ usdot: number }>("SELECT usdot FROM suppressed_business");
  const removed = new Set(rows.map(({ usdot }) => String(usdot)));
  const shown: string[] = [];
  let read = 0;
  for (const url of urls) {
    for (const feed of Object.keys(EVERYTHING.feeds)) {
      const answer = await fetch(`${url}/v1/feeds/${feed}/export.csv`, { headers: { "X-API-Key": key } });
      const lines = (await answer.text()).split("\r\n").slice(1, -1);
      read += lines.length;
      shown.push(
        ...lines.filter((line) =>
          /,(\d+),[A-Z]{2}\d+,/
            .exec(line)
            ?.slice(1)
            .some((dot) => removed.has(dot)),
        ),
      );
    }
  }
  expect(read).toBeGreaterThan(100);
  return shown;
}
