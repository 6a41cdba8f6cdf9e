import { randomInt } from "node:crypto";
import { expect, it } from "vitest";
import { FEEDS } from "../../../src/feeds/catalogue.ts";
import { expectLaw, lackingIn, ROW_CACHES } from "./law.ts";

const seed = Number(process.env.SEED ?? randomInt(1_000_000));
const cache = ROW_CACHES[Math.floor(seed / FEEDS.length) % ROW_CACHES.length] ?? "on";
const feed = FEEDS.map(({ code }) => code)[seed % FEEDS.length] ?? "us_brokers";

it(`a copy of ${feed} with the changes applied equals the later version, files of rows ${cache} (seed ${seed})`, async () => {
  const seen = await expectLaw({
    seed,
    feed,
    cache,
    customers: 10,
    companies: 30,
    comparisons: 50,
    days: 60,
  });
  expect(seen.comparisons).toBeGreaterThanOrEqual(50);
  expect(seen.records).toBeGreaterThan(200);
  expect(lackingIn(seen)).toEqual([]);
}, 300_000);
