import { it } from "vitest";
import { expectToEndInTime } from "./memory.ts";

// The long form of hostile.test.ts: it measures time and memory, and needs a machine to itself.
it("ends 500 attempts at hostile receivers within 16 s, in 100 MB", async () => {
  await expectToEndInTime({ sendCount: 500, timeoutMs: 15_000, dripMs: 5_000 });
});
