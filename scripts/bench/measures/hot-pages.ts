import type { Measure } from "../frame/measure.ts";
import { inRounds, ratioOf, spread } from "../frame/rounds.ts";
import { throughputOf } from "../programs/load-generator.ts";
import { bareHttp, hotPageUrl } from "../setup/hot-page.ts";
import { servedFeeds } from "../setup/served.ts";

/** The whole path of a request: key, rate limit, plan, contract, version, quota, usage. */
const hotPage: Measure = {
  name: "hot-page",
  what: "one page of 100 records again and again (every request but the first is a repeat), the whole pipeline, 32 connections",
  against: "bare node:http answering the same bytes",
  target: { atLeast: 0.55 },
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

/** A single customer's requests, one after the other: no other request shares its statement. */
const hotPageAlone: Measure = {
  name: "hot-page-alone",
  what: "the same over one connection",
  against:
    "bare node:http answering the same bytes behind one counter upsert (a logged table; each waits for the disk)",
  target: { atLeast: 0.7 },
  unit: "×",
  run: async (bench) => {
    const { customer } = await servedFeeds(bench);
    const url = await hotPageUrl(bench);
    const bare = await bareHttp(bench, "logged");
    const forgetful = await bareHttp(bench, "unlogged");
    const rounds = await inRounds(bench, "hot-page-alone", async () => ({
      subject: await throughputOf(bench, url, { connections: 1, headers: customer.headers }),
      limit: await throughputOf(bench, bare.url, { connections: 1 }),
      unlogged: await throughputOf(bench, forgetful.url, { connections: 1 }),
    }));
    bare.stop();
    forgetful.stop();
    return ratioOf(rounds, "answers/s", {
      pageBytes: bare.pageBytes,
      limitWithUnloggedCounter: spread(
        rounds.map(({ unlogged }) => unlogged),
        "answers/s",
      ),
    });
  },
};

export const HOT_PAGES: readonly Measure[] = [hotPage, hotPageAlone];
