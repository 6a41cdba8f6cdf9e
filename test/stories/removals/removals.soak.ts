import { it } from "vitest";
import { expectGoneForGood } from "./removals.ts";

it("100 businesses that asked for removal are never served again, over imports and a restored backup", () =>
  expectGoneForGood({ carriers: 10_000, removals: 100 }));
