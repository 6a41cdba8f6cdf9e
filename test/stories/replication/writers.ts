// What changes while the services answer: events, and businesses that ask to be removed.
import { setTimeout as delay } from "node:timers/promises";
import type { Random } from "@trucking-data-feed/registry-generator/random";
import { systemClock } from "../../../src/platform/clock.ts";
import type { Context } from "../../../src/platform/context.ts";
import { putEvents } from "../../support/events/events.ts";
import { optOut } from "../../support/removals/opt-outs.ts";
import { until } from "../../support/webhooks/dispatching.ts";
import type { Truth } from "./truth.ts";

/** Inserts an event every 100 ms, except while an import runs, which writes events too. */
export function steadyEvents(context: Context) {
  const inserted: number[] = [];
  let isPaused = false;
  let isOver = false;
  let isWriting = false;
  const running = (async () => {
    while (!isOver) {
      await delay(100);
      if (isPaused) continue;
      isWriting = true;
      const detectedAt = systemClock.now().toISOString();
      await putEvents(context.db, [{ detectedAt }]).then(
        (ids) => inserted.push(...ids.map(Number)),
        () => {},
      );
      isWriting = false;
    }
  })();
  return {
    during: async (work: () => Promise<unknown>) => {
      isPaused = true;
      await until(() => !isWriting);
      await work();
      isPaused = false;
    },
    stop: async () => {
      isOver = true;
      await running;
      return inserted;
    },
  };
}

/** Asks for the removal of a business every 2 s, at each service in turn. */
export function steadyRemovals(urls: readonly string[], truth: Truth, random: Random) {
  const removed: string[] = [];
  let isOver = false;
  const running = (async () => {
    for (let turn = 0; !isOver; turn++) {
      await delay(2_000);
      const { rows } = random.pick(truth.newest().filter((version) => version.rows.length > 100));
      const { usdot } = random.pick(rows);
      truth.noteAsked(usdot);
      const isDone = await optOut(urls[turn % urls.length] ?? "", { usdot }).then(
        () => true,
        () => false,
      );
      if (!isDone) continue;
      truth.noteConfirmed(usdot);
      removed.push(usdot);
    }
  })();
  return {
    stop: async () => {
      isOver = true;
      await running;
      return removed;
    },
  };
}
