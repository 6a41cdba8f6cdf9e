import { addDays, dayOf, systemClock } from "../../../src/platform/clock.ts";
import { LARGE_FEED } from "../large-version.ts";
import type { Measure } from "../measure.ts";
import type { CheckpointJob, CheckpointTimes } from "../processes/checkpoints.ts";
import { environmentFor } from "../program.ts";
import { inRounds, ratioOf } from "../rounds.ts";
import { servedFeeds } from "../served.ts";
import { EIGHT_STATES } from "../states.ts";
import { startWorker } from "../worker.ts";

/** Each filter is a new one, so neither its list of positions nor its checkpoint is cached. */
export const checkpointFiltered: Measure = {
  name: "checkpoint-filtered",
  what: "how long the checkpoint of a feed takes with a filter that nobody used before (states, trucks, date of grant); 400,000 records",
  against: "finding the records of the filter",
  target: { atMost: 1 },
  unit: "×",
  run: async (bench) => {
    const { databaseUrl, whole } = await servedFeeds(bench);
    const { requests } = bench.sizes;
    const today = dayOf(systemClock.now());
    const worker = startWorker<CheckpointJob>(bench, "checkpoints.ts");
    const timesOf = (filters: (since: string) => CheckpointJob["filters"][number], round: number) =>
      worker.ask<CheckpointTimes>({
        environment: environmentFor(bench, databaseUrl),
        feed: LARGE_FEED,
        version: whole.id,
        filters: Array.from({ length: requests }, (_, index) =>
          filters(addDays(today, -9_000 - round * requests - index)),
        ),
      });
    const rounds = await inRounds(bench, "checkpoint-filtered", async (round) => ({
      usual: await timesOf(
        (since) => [
          ["state", EIGHT_STATES],
          ["trucks_min", ["1"]],
          ["trucks_max", ["18"]],
          ["granted_since", [since]],
        ],
        round,
      ),
      // One cheap condition that nearly every record meets: the least filter and the most to add up.
      least: await timesOf((since) => [["granted_since", [since]]], round),
    }));
    worker.stop();
    const pairsOf = (times: CheckpointTimes[]) =>
      times.map(({ checkpointMs, filterMs }) => ({ subject: checkpointMs, limit: filterMs }));
    const least = ratioOf(pairsOf(rounds.map((round) => round.least)), "ms");
    return ratioOf(pairsOf(rounds.map(({ usual }) => usual)), "ms", {
      rows: whole.rows,
      leastFilter: { ratio: least.value, ...least.details },
    });
  },
};
