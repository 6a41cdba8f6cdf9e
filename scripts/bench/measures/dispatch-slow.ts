import { setTimeout as wait } from "node:timers/promises";
import type { Measure } from "../frame/measure.ts";
import { inRounds, ratioOf } from "../frame/rounds.ts";
import { p95 } from "../frame/statistics.ts";
import { type Dispatching, openDispatching, removeDeliveries, untilEnded } from "../setup/dispatch.ts";
import { insertEvents } from "../setup/events.ts";

const ENDPOINTS = 3;
const BATCHES = 3;
const BATCH = 20;
/** Less than an attempt may take, so that what hangs in a batch still hangs in the next. */
const BETWEEN_MS = 4_000;
const EVERY_MS = 20;

/** An account has ten slots, which two endpoints could hold. */
export const dispatchSlow: Measure = {
  name: "dispatch-slow",
  what: "the time in which 95% of events arrive at an endpoint, while two others of its account hang and drip",
  against: "the same while those two answer",
  target: { atMost: 1.5 },
  unit: "×",
  run: async (bench) => {
    const opened = await openDispatching(bench, { accounts: 1, endpoints: ENDPOINTS });
    await opened.startDispatcher();
    await arrivalMs(opened, { areSlow: false });
    const pairs = await inRounds(bench, "dispatch-slow", async () => ({
      limit: await arrivalMs(opened, { areSlow: false }),
      subject: await arrivalMs(opened, { areSlow: true }),
    }));
    return ratioOf(pairs, "ms", { batches: BATCHES, events: BATCH });
  },
};

/** From the insert of an event to its arrival at the third endpoint, 95th percentile of some batches. */
async function arrivalMs(
  { client, receiver }: Dispatching,
  { areSlow }: { areSlow: boolean },
): Promise<number> {
  await removeDeliveries(client);
  const [hanging, dripping, good] = ["/endpoints/0", "/endpoints/1", "/endpoints/2"] as const;
  if (areSlow) await receiver.ask({ kind: "hang", paths: [hanging], dripping: [dripping] });
  await receiver.ask({ kind: "watch", path: good });
  const insertedAtMs: number[] = [];
  for (let batch = 0; batch < BATCHES; batch += 1) {
    await insertEvents(client, BATCH, { overDays: 0 });
    insertedAtMs.push(performance.timeOrigin + performance.now());
    await wait(BETWEEN_MS);
  }
  const arrivals = () => receiver.ask<number[]>({ kind: "watched" });
  while ((await arrivals()).length < BATCHES * BATCH) await wait(EVERY_MS);
  const times = (await arrivals()).map(
    (atMs, index) => atMs - (insertedAtMs[Math.floor(index / BATCH)] ?? 0),
  );
  await receiver.ask({ kind: "hang", paths: [] });
  await untilEnded(client, BATCHES * BATCH * ENDPOINTS);
  return p95(times);
}
