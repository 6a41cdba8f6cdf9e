import { randomInt } from "node:crypto";
import { expect, it } from "vitest";
import { FEEDS } from "../../src/feeds/catalogue.ts";
import { expectLaw, lackingIn } from "./sync-law/law.ts";

// The long form of sync-law.test.ts: all feeds, more customers and companies.
const seed = Number(process.env.SEED ?? randomInt(1_000_000));

it.each(FEEDS.map(({ code }) => code))(
  `copies of %s equal later versions (seed ${seed})`,
  async (feed) => {
    const seen = await expectLaw({ seed, feed, customers: 14, companies: 100, comparisons: 500, days: 400 });
    process.stdout.write(`${feed}: ${JSON.stringify(seen)}\n`);
    expect(seen.comparisons).toBeGreaterThanOrEqual(500);
    expect(lackingIn(seen)).toEqual([]);
  },
  1_800_000,
);
