import { it } from "vitest";
import { expectGoneForGood } from "./removals.ts";

it(
  "20 businesses that asked to be removed are served never again, over imports and a restored backup",
  () => expectGoneForGood({ carriers: 600, removals: 20 }),
  180_000,
);
