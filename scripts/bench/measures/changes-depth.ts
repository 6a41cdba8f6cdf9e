import type { Measure } from "../frame/measure.ts";
import { inRounds, ratioOf } from "../frame/rounds.ts";
import { latenciesOf } from "../programs/load-generator.ts";
import { changedFeed } from "../setup/changed-feed.ts";

/** Pages near the beginning and the end of the changes; no page is read twice. */
export const changesDepth: Measure = {
  name: "changes-depth",
  what: "how long a page of 100 changes takes after 400,000 others",
  against: "pages at the beginning of the changes",
  target: { atMost: 1.2 },
  unit: "×",
  run: async (bench) => {
    const { service, customer, changes, pathAfter } = await changedFeed(bench);
    const { requests } = bench.sizes;
    const pairs = await inRounds(bench, "changes-depth", async (round) => {
      const indexes = Array.from({ length: requests }, (_, index) => 100 * (1 + round * requests + index));
      const [subject = 0, limit = 0] = await latenciesOf(bench, service.url, customer.headers, [
        // The page at the very end also looks for what happened since the earlier version.
        indexes.map((index) => pathAfter(changes - 100 - index)),
        indexes.map((index) => pathAfter(index)),
      ]);
      return { subject, limit };
    });
    return ratioOf(pairs, "ms", { changes });
  },
};
