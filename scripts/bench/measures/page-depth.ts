import { latenciesOf } from "../load-generator.ts";
import type { Measure } from "../measure.ts";
import { inRounds, ratioOf } from "../rounds.ts";
import { pagePath, servedFeeds, sharedService } from "../served.ts";

/** Pages of the same size near the beginning and the end of a feed; no page is read twice. */
export const pageDepth: Measure = {
  name: "page-depth",
  what: "how long a page of 100 records takes at the end of a feed of 600,000",
  against: "pages at its beginning",
  target: { atMost: 1.2 },
  unit: "×",
  run: async (bench) => {
    const { deep, customer } = await servedFeeds(bench);
    const { url } = await sharedService(bench);
    const { requests } = bench.sizes;
    const last = Math.floor(deep.rows / 100);
    const pairs = await inRounds(bench, "page-depth", async (round) => {
      const from = round * requests;
      const indexes = Array.from({ length: requests }, (_, index) => from + index);
      const [subject = 0, limit = 0] = await latenciesOf(bench, url, customer.headers, [
        indexes.map((index) => pagePath(deep, last - index)),
        indexes.map((index) => pagePath(deep, 1 + index)),
      ]);
      return { subject, limit };
    });
    return ratioOf(pairs, "ms", { rows: deep.rows, pages: last });
  },
};
