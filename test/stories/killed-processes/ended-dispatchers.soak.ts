import { randomInt } from "node:crypto";
import { expect, it } from "vitest";
import { type Endings, endDispatchers, mostRepeated } from "./ended-dispatchers.ts";

// The long form of ended-dispatchers.test.ts.
const seed = randomInt(1_000_000);

it(`dispatchers killed 20 times (seed ${seed}) during 10,000 deliveries lose none and repeat only what was in flight`, async () => {
  const endings: Endings = { seed, deliveries: 10_000, endings: 20 };
  const outcome = await endDispatchers("SIGKILL", endings);
  console.log(outcome);
  expect(outcome.lost).toBe(0);
  expect(outcome.repeated).toBeLessThanOrEqual(mostRepeated(endings));
});

it(`dispatchers stopped 20 times (seed ${seed}) during 10,000 deliveries lose and repeat none`, async () => {
  const { lost, repeated } = await endDispatchers(null, { seed, deliveries: 10_000, endings: 20 });
  expect({ lost, repeated }).toEqual({ lost: 0, repeated: 0 });
});
