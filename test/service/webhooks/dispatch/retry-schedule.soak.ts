import { it } from "vitest";
import { expectScheduleKept } from "./retry-schedule.ts";

// The long form of retry-schedule.test.ts.
it("1,000 deliveries keep the retry schedule over all six attempts, each freshly signed over the same bytes", async () => {
  await expectScheduleKept({ accounts: 100, deliveriesEach: 10 });
});
