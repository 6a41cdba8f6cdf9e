import { it } from "vitest";
import { expectHeldThroughKills } from "./killed-service.ts";

it("a service killed 50 times right after it answered removal requests has kept every one", () =>
  expectHeldThroughKills(50));
