import { FEEDS } from "../../../src/feeds/catalogue.ts";
import { latenciesOf } from "../load-generator.ts";
import type { Measure } from "../measure.ts";
import { knownResidentMb } from "../memory.ts";
import { startService } from "../program.ts";
import { inRounds, spread } from "../rounds.ts";
import { servedFeeds } from "../served.ts";
import { median, rounded } from "../statistics.ts";

/** Pages of each feed, with and without filters, so that its columns, lists of positions and pages are cached. */
export const startMemory: Measure = {
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
