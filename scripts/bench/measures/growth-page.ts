import { growthOf } from "../growth.ts";
import { latenciesOf } from "../load-generator.ts";
import type { Measure } from "../measure.ts";
import { inRounds } from "../rounds.ts";
import { pagePath, servedFeeds, sharedService } from "../served.ts";

export const growthPage: Measure = {
  name: "growth-page",
  what: "how long pages take in feeds of 200,000 and 400,000 records",
  against: "pages in a feed of 100,000",
  target: { atMost: 1.15 },
  unit: "×",
  run: async (bench) => {
    const { growth, customer } = await servedFeeds(bench);
    const { url } = await sharedService(bench);
    const { requests, rounds: turns } = bench.sizes;
    const rounds = await inRounds(bench, "growth-page", (round) =>
      latenciesOf(
        bench,
        url,
        customer.headers,
        growth.map((version) => {
          // No page repeats in any round; pages are spread evenly from the first to the last.
          const pages = Math.floor(version.rows / 100);
          const step = pages / (requests * turns);
          return Array.from({ length: requests }, (_, index) =>
            pagePath(version, 1 + Math.floor((index * turns + round) * step)),
          );
        }),
      ),
    );
    return growthOf(
      growth.map(({ rows }) => rows),
      rounds,
      "ms",
      (ms) => ms,
    );
  },
};
