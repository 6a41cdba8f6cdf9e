import { it } from "vitest";
import { expectScheduleKept } from "./retry-schedule.ts";

it("the retry schedule is kept by 90 deliveries over all six attempts, each with a new signature over the same bytes", async () => {
  await expectScheduleKept({ accounts: 10, deliveriesEach: 9 });
});
