import { randomInt } from "node:crypto";
import { it } from "vitest";
import { expectWholeThroughKills } from "./killed-importer.ts";

const seed = randomInt(1_000_000);

it(`an importer killed at 4 random moments (seed ${seed}) shows no part of its work, and the next one does it all`, async () => {
  await expectWholeThroughKills({ seed, days: 1, killsPerDay: 4 });
}, 300_000);
