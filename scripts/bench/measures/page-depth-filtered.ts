import { latenciesOf } from "../load-generator.ts";
import type { Measure } from "../measure.ts";
import { inRounds, ratioOf } from "../rounds.ts";
import { pagePath, servedFeeds, sharedService } from "../served.ts";
import { rowsInEightStates, STATES_FILTER } from "../states.ts";

/** The same with a filter whose list of positions is cached. */
export const pageDepthFiltered: Measure = {
  name: "page-depth-filtered",
  what: "how long a page of 100 records takes at the end of a feed, filtered by eight states",
  against: "pages at its beginning",
  target: { atMost: 1.2 },
  unit: "×",
  run: async (bench) => {
    const { databaseUrl, deep, customer } = await servedFeeds(bench);
    const { url } = await sharedService(bench);
    const { requests } = bench.sizes;
    const rows = await rowsInEightStates(databaseUrl, deep);
    const last = Math.floor(rows / 100);
    const warm = [pagePath(deep, 1, STATES_FILTER)];
    await latenciesOf(bench, url, customer.headers, [warm]);
    const pairs = await inRounds(bench, "page-depth-filtered", async (round) => {
      // A small feed has fewer pages than requested.
      const indexes = Array.from(
        { length: requests },
        (_, index) => (round * requests + index) % (last >> 1),
      );
      const [subject = 0, limit = 0] = await latenciesOf(bench, url, customer.headers, [
        indexes.map((index) => pagePath(deep, last - index, STATES_FILTER)),
        indexes.map((index) => pagePath(deep, 2 + index, STATES_FILTER)),
      ]);
      return { subject, limit };
    });
    return ratioOf(pairs, "ms", { rows, pages: last });
  },
};
