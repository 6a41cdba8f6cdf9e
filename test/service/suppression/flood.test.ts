import { it } from "vitest";
import { expectAlarm, expectBrake, expectNoMailBomb } from "./flood.ts";

it("90 requests by phone from 20 addresses hide no more than the brake allows, and an operator gets an alarm", () =>
  expectBrake({ businesses: 100, requests: 90, clients: 20 }));

it("60 removals by number take effect, and operators get one alarm", () =>
  expectAlarm({ businesses: 400, requests: 60 }));

it("60 requests that name 20 people's addresses mail each of them once", () =>
  expectNoMailBomb({ requests: 60, mailboxes: 20, clients: 60 }));
