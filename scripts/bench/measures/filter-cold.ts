import { addDays, dayOf, systemClock } from "../../../src/platform/clock.ts";
import { latenciesOf } from "../load-generator.ts";
import type { Measure } from "../measure.ts";
import { inRounds, spread } from "../rounds.ts";
import { pagePath, servedFeeds, sharedService } from "../served.ts";
import { STATES_FILTER } from "../states.ts";
import { median, rounded } from "../statistics.ts";

/** Each request has a new filter, so its list of positions is not cached. */
export const filterCold: Measure = {
  name: "filter-cold",
  what: "how much longer the first page takes with a filter that nobody used before (states, trucks, date of grant); 400,000 records",
  against: "a page without a filter",
  target: { atMost: 10 },
  unit: "ms",
  run: async (bench) => {
    const { whole, customer } = await servedFeeds(bench);
    const { url } = await sharedService(bench);
    const { requests } = bench.sizes;
    const today = dayOf(systemClock.now());
    const rounds = await inRounds(bench, "filter-cold", async (round) => {
      const indexes = Array.from({ length: requests }, (_, index) => round * requests + index);
      const [cold = 0, plain = 0] = await latenciesOf(bench, url, customer.headers, [
        indexes.map((index) => {
          const since = addDays(today, -9_000 - index);
          return pagePath(whole, 1, `${STATES_FILTER}&trucks_min=1&trucks_max=18&granted_since=${since}`);
        }),
        indexes.map((index) => pagePath(whole, 1 + index)),
      ]);
      return { cold, plain };
    });
    return {
      value: rounded(median(rounds.map(({ cold, plain }) => cold - plain))),
      details: {
        rows: whole.rows,
        filtered: spread(
          rounds.map(({ cold }) => cold),
          "ms",
        ),
        unfiltered: spread(
          rounds.map(({ plain }) => plain),
          "ms",
        ),
      },
    };
  },
};
