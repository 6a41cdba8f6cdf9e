import { randomInt } from "node:crypto";
import { it } from "vitest";
import { expectGoneEverywhere } from "./removed-business.ts";

const seed = randomInt(1_000_000);

it(`a removed business (seed ${seed}) is in no answer to a request that begins after its removal, on any process`, async () => {
  await expectGoneEverywhere({ seed, carriers: 1_000, polled: 1, others: 20 });
}, 300_000);
