import { versionTable } from "../../../src/feeds/versions/feed-version.ts";
import { queryOnce } from "../frame/databases.ts";
import type { Measure } from "../frame/measure.ts";
import { inRounds, ratioOf } from "../frame/rounds.ts";
import { latenciesOf } from "../programs/load-generator.ts";
import { pagePath, servedFeeds, sharedService } from "../setup/served.ts";

/** The difference is smaller than the noise of single requests, so it takes many of them. */
const TIMES_REQUESTS = 8;

/** Businesses spread over the feed, so that many pages lack some of them. */
export const removals: Measure = {
  name: "removals",
  what: "how long a page takes while 1,000 businesses are on the removal list",
  against: "the same with an empty list",
  target: { atMost: 1.2 },
  unit: "×",
  run: async (bench) => {
    const { databaseUrl, deep, customer } = await servedFeeds(bench);
    const { url } = await sharedService(bench);
    const { requests, removals: count } = bench.sizes;
    const pages = Math.floor((deep.rows - count) / 100);
    const step = Math.max(1, Math.floor(deep.rows / count));
    const chosen = `SELECT usdot FROM ${versionTable(deep.id)} WHERE pos % ${step} = 0 ORDER BY pos LIMIT ${count}`;
    const latencyOf = async (round: number): Promise<number> => {
      // The first request after a change reads the list and rebuilds the caches derived from it.
      await latenciesOf(bench, url, customer.headers, [[pagePath(deep, 1, "", 99)]]);
      const indexes = Array.from(
        { length: TIMES_REQUESTS * requests },
        (_, index) => 1 + ((index * 37 + round * 7919) % pages),
      );
      const [ms = 0] = await latenciesOf(bench, url, customer.headers, [
        indexes.map((page) => pagePath(deep, page)),
      ]);
      return ms;
    };
    // Warm-up: the first reader of a table's pages reads them from disk.
    await latencyOf(0);
    const pairs = await inRounds(bench, "removals", async (round) => {
      await setRemovals(databaseUrl, chosen);
      const subject = await latencyOf(2 * round + 1);
      await setRemovals(databaseUrl, null);
      return { subject, limit: await latencyOf(2 * round + 2) };
    });
    return ratioOf(pairs, "ms", { rows: deep.rows, removals: count });
  },
};

/** Sets the removal list to those businesses, or to none, and increments its number as src/suppression does. */
async function setRemovals(databaseUrl: string, chosen: string | null): Promise<void> {
  const fill =
    chosen === null
      ? ""
      : `INSERT INTO suppressed_business SELECT usdot, 0, now() FROM (${chosen}) AS chosen;`;
  await queryOnce(
    databaseUrl,
    `BEGIN; DELETE FROM suppressed_business; ${fill} UPDATE suppression_state SET number = number + 1; COMMIT`,
  );
}
