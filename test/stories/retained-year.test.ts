import { it } from "vitest";
import { expectBoundedYear } from "./retained-year.ts";

it("after a year, every table is as large as its retention lets it be", async () => {
  await expectBoundedYear({ stepDays: 67, scale: 0.005 });
});
