import { setTimeout as wait } from "node:timers/promises";
import type { Context } from "../../../src/platform/context.ts";
import { fanOut } from "../../../src/webhooks/queue/fan-out.ts";
import type { Bench } from "../../bench/frame/bench.ts";
import { processMs } from "../../bench/programs/processor-time.ts";
import { dispatching, ENDPOINTS } from "../../bench/setup/dispatch.ts";
import { writeEvents } from "../../bench/setup/events.ts";
import { onDatabase } from "../../bench/setup/open-database.ts";
import type { Metered, Work } from "./work.ts";

const LONGEST_MS = 300_000;
/** Time for the records of the last deliveries. */
const SETTLE_MS = 300;

/** New events, written while the dispatcher stands still; then `measure` may let it continue. */
async function withNewEvents(
  bench: Bench,
  {
    pid,
    databaseUrl,
    receiver,
  }: Pick<Awaited<ReturnType<typeof dispatching>>, "pid" | "databaseUrl" | "receiver">,
  measure: (run: { context: Context; expected: number; go(): Promise<void> }) => Promise<Metered>,
): Promise<Metered> {
  const events = Math.ceil(bench.sizes.deliveries / ENDPOINTS);
  const expected = events * ENDPOINTS;
  const before = await receiver.ask<number>({ kind: "answered" });
  process.kill(pid, "SIGSTOP");
  try {
    return await onDatabase(bench, databaseUrl, async (context) => {
      await writeEvents(context, events);
      return measure({
        context,
        expected,
        go: async () => {
          process.kill(pid, "SIGCONT");
          const deadline = performance.now() + LONGEST_MS;
          while ((await receiver.ask<number>({ kind: "answered" })) < before + expected) {
            if (performance.now() > deadline)
              throw new Error("Deliveries were still missing after five minutes.");
            await wait(5);
          }
        },
      });
    });
  } finally {
    process.kill(pid, "SIGCONT");
  }
}

/** One statement writes the deliveries of many events. Only one process does it at a time. */
export const fanOutWork: Work = {
  name: "fan-out",
  what: "deliveries queued: each new event for 50 endpoints, by one statement after the other",
  unit: "delivery",
  process: "dispatch",
  open: async (bench) => {
    const opened = await dispatching(bench);
    return (meter) =>
      withNewEvents(bench, opened, async ({ context, go }) => {
        const metered = await meter(
          () => processMs(process.pid),
          async () => ({ units: await fanOut(context) }),
        );
        await go();
        return metered;
      });
  },
};

/** From queued to recorded. */
export const deliveries: Work = {
  name: "delivery",
  what: "deliveries that wait: found, signed, sent over https to 50 endpoints of 25 accounts, recorded",
  unit: "delivery",
  process: "dispatch",
  open: async (bench) => {
    const opened = await dispatching(bench);
    return (meter) =>
      withNewEvents(bench, opened, async ({ context, expected, go }) => {
        await fanOut(context);
        return meter(opened.pid, async () => {
          await go();
          await wait(SETTLE_MS);
          return { units: expected };
        });
      });
  },
};
