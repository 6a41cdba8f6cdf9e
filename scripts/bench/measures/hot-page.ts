import { bareHttp, hotPageUrl } from "../hot-page.ts";
import { throughputOf } from "../load-generator.ts";
import type { Measure } from "../measure.ts";
import { inRounds, ratioOf } from "../rounds.ts";
import { servedFeeds } from "../served.ts";

/** The whole path of a request: key, rate limit, plan, contract, version, quota, usage. */
export const hotPage: Measure = {
  name: "hot-page",
  what: "one page of 100 records requested repeatedly, the whole pipeline, 32 connections",
  against: "bare node:http answering the same bytes",
  target: { atLeast: 0.4 },
  unit: "×",
  run: async (bench) => {
    const { customer } = await servedFeeds(bench);
    const url = await hotPageUrl(bench);
    const bare = await bareHttp(bench, null);
    const { headers } = customer;
    const pairs = await inRounds(bench, "hot-page", async () => ({
      subject: await throughputOf(bench, url, { connections: 32, headers }),
      limit: await throughputOf(bench, bare.url, { connections: 32 }),
    }));
    bare.stop();
    return ratioOf(pairs, "answers/s", { pageBytes: bare.pageBytes });
  },
};
