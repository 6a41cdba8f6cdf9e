import type { Measure } from "../measure.ts";
import { startService } from "../program.ts";
import { inRounds, spread } from "../rounds.ts";
import { servedFeeds } from "../served.ts";
import { median, rounded } from "../statistics.ts";

/** Node itself, without npm. */
export const startTime: Measure = {
  name: "start-time",
  what: "how long the API takes to start on an existing database, until it answers requests",
  against: null,
  target: { atMost: 2 },
  unit: "s",
  run: async (bench) => {
    const { databaseUrl } = await servedFeeds(bench);
    const seconds = await inRounds(bench, "start-time", async () => {
      const service = await startService(bench, databaseUrl);
      await service.stop();
      return service.startedInMs / 1000;
    });
    return { value: rounded(median(seconds)), details: { start: spread(seconds, "s") } };
  },
};
