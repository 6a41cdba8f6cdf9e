import { it } from "vitest";
import { expectAlarm, expectBrake, expectNoMailBomb } from "./flood.ts";

it("5,000 requests by phone from 200 addresses hide at most 0.5% of a feed", () =>
  expectBrake({ businesses: 20_000, requests: 5_000, clients: 200 }));

it("150 removals by number take effect, and operators get one alarm", () =>
  expectAlarm({ businesses: 3_200, requests: 150 }));

it("10,000 requests that name 100 people's addresses from 500 clients mail each of them once", () =>
  expectNoMailBomb({ requests: 10_000, mailboxes: 100, clients: 500 }));
