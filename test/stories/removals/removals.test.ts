import { it } from "vitest";
import { expectGoneForGood } from "./removals.ts";

it(
  "20 businesses that asked for removal are never served again, over imports and a restored backup",
  () => expectGoneForGood({ carriers: 600, removals: 20 }),
  180_000,
);
