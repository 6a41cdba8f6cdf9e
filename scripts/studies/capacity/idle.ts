import { setTimeout as wait } from "node:timers/promises";
import type { Bench } from "../../bench/frame/bench.ts";
import { dispatching } from "../../bench/setup/dispatch.ts";
import { sharedService } from "../../bench/setup/served.ts";
import type { Work } from "./work.ts";

const idle = (
  work: Pick<Work, "name" | "what" | "process">,
  pidOf: (bench: Bench) => Promise<number>,
): Work => ({
  ...work,
  unit: "second",
  open: async (bench) => {
    const pid = await pidOf(bench);
    // What its last work left to do: counts of usage are written a second later.
    await wait(2 * bench.sizes.warmMs);
    const ms = 2 * bench.sizes.runMs;
    return (meter) =>
      meter(pid, async () => {
        await wait(ms);
        return { units: ms / 1000 };
      });
  },
});

export const idleService = idle(
  {
    name: "idle-serve",
    what: "a process of the API that nobody asks for anything; with PostgreSQL's own work",
    process: "serve",
  },
  async (bench) => (await sharedService(bench)).pid,
);

export const idleDispatcher = idle(
  {
    name: "idle-dispatch",
    what: "a dispatcher without work, beside an idle process of the API",
    process: "dispatch",
  },
  async (bench) => (await dispatching(bench)).pid,
);
