import { randomInt } from "node:crypto";
import { expect, it } from "vitest";
import { FEEDS } from "../../../src/feeds/catalogue.ts";
import { expectLaw, lackingIn, ROW_CACHES } from "./law.ts";

// The long form of sync-law.test.ts: all feeds, more customers and companies, and every state of the files of rows.
const seed = Number(process.env.SEED ?? randomInt(1_000_000));

it.each(FEEDS.flatMap(({ code }) => ROW_CACHES.map((cache) => ({ feed: code, cache }))))(
  `copies of $feed equal later versions, files of rows $cache (seed ${seed})`,
  async ({ feed, cache }) => {
    const seen = await expectLaw({
      seed,
      feed,
      cache,
      customers: 14,
      companies: 100,
      comparisons: 500,
      days: 400,
    });
    process.stdout.write(`${feed}, ${cache}: ${JSON.stringify(seen)}\n`);
    expect(seen.comparisons).toBeGreaterThanOrEqual(500);
    expect(lackingIn(seen)).toEqual([]);
  },
  1_800_000,
);
