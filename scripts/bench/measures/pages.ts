import { addDays, dayOf, systemClock } from "../../../src/platform/clock.ts";
import type { Measure } from "../frame/measure.ts";
import { inRounds, ratioOf, spread } from "../frame/rounds.ts";
import { median, rounded } from "../frame/statistics.ts";
import { latenciesOf } from "../programs/load-generator.ts";
import { pagePath, servedFeeds, sharedService } from "../setup/served.ts";
import { rowsInEightStates, STATES_FILTER } from "../setup/states.ts";

/** Pages of the same size near the beginning and the end of a feed; no page is read twice. */
const pageDepth: Measure = {
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

/** The same with a filter whose list of positions is cached. */
const pageDepthFiltered: Measure = {
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

/** Each request has a new filter, so its list of positions is not cached. */
const filterCold: Measure = {
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

export const PAGES: readonly Measure[] = [pageDepth, pageDepthFiltered, filterCold];
