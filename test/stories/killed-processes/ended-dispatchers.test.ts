import { randomInt } from "node:crypto";
import { expect, it } from "vitest";
import { type Endings, endDispatchers, mostRepeated } from "./ended-dispatchers.ts";

const seed = randomInt(1_000_000);

it(`dispatchers killed at 4 random moments (seed ${seed}) lose no delivery and repeat only what was in flight`, async () => {
  const endings: Endings = { seed, deliveries: 600, endings: 4 };
  const { lost, repeated } = await endDispatchers("SIGKILL", endings);
  expect(lost).toBe(0);
  expect(repeated).toBeLessThanOrEqual(mostRepeated(endings));
}, 300_000);

it(`dispatchers stopped at 3 random moments (seed ${seed}) lose and repeat no delivery`, async () => {
  const { lost, repeated } = await endDispatchers(null, { seed, deliveries: 600, endings: 3 });
  expect({ lost, repeated }).toEqual({ lost: 0, repeated: 0 });
}, 300_000);
