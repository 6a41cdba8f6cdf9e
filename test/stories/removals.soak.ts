import { it } from "vitest";
import { expectGoneForGood } from "./removals.ts";

it("100 businesses that asked to be removed are served never again, over imports and a restored backup", () =>
  expectGoneForGood({ carriers: 10_000, removals: 100 }));
