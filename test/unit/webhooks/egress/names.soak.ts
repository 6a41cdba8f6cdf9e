import { it } from "vitest";
import { expectNoRebinding } from "./rebinding.ts";

// The long form of a test of names.test.ts.
it("never follows a name from a good address to one inside, in 1,000 deliveries", async () => {
  await expectNoRebinding(1_000);
});
