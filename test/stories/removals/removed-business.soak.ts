import { randomInt } from "node:crypto";
import { expect, it } from "vitest";
import { expectGoneEverywhere } from "./removed-business.ts";

// The long form of removed-business.test.ts: it also measures how long after a removal a reader had a business in an
// answer.
const seed = randomInt(1_000_000);

it(`removed businesses (seed ${seed}) are seen for no longer than a second, among 10,000 carriers`, async () => {
  const lastSeenMs = await expectGoneEverywhere({ seed, carriers: 10_000, polled: 20, others: 100 });
  process.stdout.write(`last seen ${Math.round(lastSeenMs)} ms after its removal\n`);
  expect(lastSeenMs).toBeLessThanOrEqual(1_000);
});
