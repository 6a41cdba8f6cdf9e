import { it } from "vitest";
import { expectGenuineThroughExchange } from "./exchanged-key.ts";

// The long form of exchanged-key.test.ts.
it("every delivery is signed correctly while the secrets of 10,000 endpoints are encrypted with another key", async () => {
  await expectGenuineThroughExchange(10_000);
});
