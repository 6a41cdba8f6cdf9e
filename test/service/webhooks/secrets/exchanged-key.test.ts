import { it } from "vitest";
import { expectGenuineThroughExchange } from "./exchanged-key.ts";

it("every delivery is signed correctly while the secrets of 100 endpoints are encrypted with another key", async () => {
  await expectGenuineThroughExchange(100);
});
