import { bareHttp, hotPageUrl } from "../hot-page.ts";
import { throughputOf } from "../load-generator.ts";
import type { Measure } from "../measure.ts";
import { inRounds, ratioOf, spread } from "../rounds.ts";
import { servedFeeds } from "../served.ts";

/** A single customer's requests, one after the other: no other request shares its statement. */
export const hotPageAlone: Measure = {
  name: "hot-page-alone",
  what: "the same over one connection",
  against:
    "bare node:http answering the same bytes behind one counter upsert (a logged table; each waits for the disk)",
  target: { atLeast: 0.6 },
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
