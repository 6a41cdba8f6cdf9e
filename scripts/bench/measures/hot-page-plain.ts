import { hotPageUrl } from "../hot-page.ts";
import { startLoad, throughputOf } from "../load-generator.ts";
import type { Measure } from "../measure.ts";
import type { LoadJob, Throughput } from "../processes/load.ts";
import { inRounds, ratioOf } from "../rounds.ts";
import { servedFeeds } from "../served.ts";

const CONNECTIONS = 16;

/** A process serves both kinds of clients, so the compression for some could slow down the others. */
export const hotPagePlain: Measure = {
  name: "hot-page-plain",
  what: "one page of 100 records requested repeatedly without compression over 16 connections, while 16 others ask for gzip",
  against: "the same while the others ask for no compression either",
  target: { atLeast: 0.95 },
  unit: "×",
  run: async (bench) => {
    const { customer } = await servedFeeds(bench);
    const url = await hotPageUrl(bench);
    const { headers } = customer;
    const { warmMs, runMs } = bench.sizes;
    const others = startLoad(bench);
    const beside = async (othersHeaders: Record<string, string>): Promise<number> => {
      const job: LoadJob = {
        kind: "throughput",
        url,
        headers: { ...headers, ...othersHeaders },
        connections: CONNECTIONS,
        warmMs,
        runMs,
      };
      const [plain] = await Promise.all([
        throughputOf(bench, url, { connections: CONNECTIONS, headers }),
        others.ask<Throughput>(job),
      ]);
      return plain;
    };
    const pairs = await inRounds(bench, "hot-page-plain", async () => ({
      subject: await beside({ "Accept-Encoding": "gzip" }),
      limit: await beside({}),
    }));
    others.stop();
    return ratioOf(pairs, "answers/s");
  },
};
