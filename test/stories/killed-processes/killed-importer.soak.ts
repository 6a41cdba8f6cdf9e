import { randomInt } from "node:crypto";
import { it } from "vitest";
import { expectWholeThroughKills } from "./killed-importer.ts";

// The long form of killed-importer.test.ts: over ten days old versions are removed too.
const seed = randomInt(1_000_000);

it(`an importer killed at 50 random moments (seed ${seed}) shows no part of its work, and the next one does it all`, async () => {
  await expectWholeThroughKills({ seed, days: 10, killsPerDay: 5 });
});
