import { randomInt } from "node:crypto";
import { it } from "vitest";
import { expectCopiesSurvive } from "./killed-sync.ts";

const seed = randomInt(1_000_000);

it(`copies of programs that are killed 30 times equal the feed (seed ${seed})`, async () => {
  await expectCopiesSurvive({ seed, kills: 30 });
}, 300_000);
