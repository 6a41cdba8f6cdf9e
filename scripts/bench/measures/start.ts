import { FEEDS } from "../../../src/feeds/catalogue.ts";
import type { Measure } from "../frame/measure.ts";
import { inRounds, spread } from "../frame/rounds.ts";
import { median, rounded } from "../frame/statistics.ts";
import { latenciesOf } from "../programs/load-generator.ts";
import { knownResidentMb } from "../programs/memory.ts";
import { startService } from "../programs/program.ts";
import { servedFeeds } from "../setup/served.ts";

/** Node itself, without npm. */
const startTime: Measure = {
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

/** Pages of each feed, with and without filters, so that its columns, lists of positions and pages are cached. */
const startMemory: Measure = {
  name: "start-memory",
  what: "how much memory the API uses after it served pages of every feed, the largest with 600,000 records",
  against: null,
  target: { atMost: 250 },
  unit: "MB",
  run: async (bench) => {
    const { databaseUrl, deep, customer } = await servedFeeds(bench);
    const paths = FEEDS.flatMap(({ code }) =>
      ["", "&state=TX", "&state=CA,TX", "&since=2020-01-01"].flatMap((filter) =>
        Array.from(
          { length: bench.sizes.requests },
          (_, index) => `/v1/feeds/${code}/records?page=${1 + index}&page_size=100${filter}`,
        ),
      ),
    );
    const held = await inRounds(bench, "start-memory", async () => {
      const service = await startService(bench, databaseUrl);
      await latenciesOf(bench, service.url, customer.headers, [paths]);
      const found = await knownResidentMb(service.pid);
      await service.stop();
      return found.now;
    });
    return {
      value: rounded(median(held)),
      details: { requests: paths.length, largestFeedRows: deep.rows, held: spread(held, "MB") },
    };
  },
};

export const STARTS: readonly Measure[] = [startTime, startMemory];
