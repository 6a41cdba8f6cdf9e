import { it } from "vitest";
import { expectSafeFailover } from "./replication.ts";

it("a standby that lags, hangs and dies, and the loss of the primary: nothing confirmed is lost", () =>
  expectSafeFailover({ isSynchronous: true }));

it("the same with asynchronous replication, which may lose the last moments", () =>
  expectSafeFailover({ isSynchronous: false }));
