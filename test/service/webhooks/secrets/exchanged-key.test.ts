import { it } from "vitest";
import { expectGenuineThroughExchange } from "./exchanged-key.ts";

it("every delivery is signed right while the secrets of 100 endpoints are sealed under another key", async () => {
  await expectGenuineThroughExchange(100);
});
