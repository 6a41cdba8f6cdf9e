import { describe, expect, it } from "vitest";
import type { AuthorityFacts, CompanyFacts, Cover } from "../../../src/carriers/decision/facts.ts";
import { answers, BROKER, cancelled, covered, ended, gap, MOVER, no, order, outcome, YES } from "./facts.ts";

it("an active carrier with insurance and without orders may haul", () => {
  expect(answers([{}])).toEqual([{ role: "haul", classes: [], outcome: YES }]);
});

it("a broker may arrange, which needs neither an active USDOT number nor liability insurance", () => {
  expect(answers([BROKER], { usdotStatus: "I" })).toEqual([{ role: "arrange", classes: [], outcome: YES }]);
});

it("a company without an authority of freight may not haul", () => {
  const none = [{ role: "haul", classes: [], outcome: no("not_active") }];
  expect(answers([])).toEqual(none);
  expect(answers([{ authorityClass: "passenger", cover: null }])).toEqual(none);
});

describe("no, because", () => {
  it.each<
    [what: string, authority: Partial<AuthorityFacts>, company: Partial<CompanyFacts>, expected: unknown]
  >([
    [
      "it is out of service",
      {},
      { isOutOfService: true, outOfServiceSince: "2026-11-03" },
      no("out_of_service", { since: "2026-11-03" }),
    ],
    [
      "it is out of service, also as a broker",
      BROKER,
      { isOutOfService: true },
      no("out_of_service", { since: null }),
    ],
    ["its USDOT number is not active", {}, { usdotStatus: "I" }, no("usdot_not_active")],
    [
      "its authority was suspended for insurance",
      ended("insurance_suspension"),
      {},
      no("suspended", { since: "2026-11-03" }),
    ],
    [
      "its authority was suspended for its bond",
      ended("security_suspension"),
      {},
      no("suspended", { since: "2026-11-03" }),
    ],
    [
      "its authority was suspended for its agent",
      ended("agent_suspension"),
      {},
      no("suspended", { since: "2026-11-03" }),
    ],
    ["its authority was revoked", ended("revocation"), {}, no("revoked", { since: "2026-11-03" })],
    [
      "its authority was withdrawn",
      ended("withdrawal", "withdrawn"),
      {},
      no("withdrawn", { since: "2026-11-03" }),
    ],
    ["its authority is not active for reasons unknown", ended("unknown"), {}, no("not_active")],
    ["its authority is inactive without a history", { status: "inactive" }, {}, no("not_active")],
    [
      "its authority is inactive, although the newest change is of another status",
      {
        status: "inactive",
        lastChange: { on: "2026-11-03", status: "active", reason: null, meaning: "revocation" },
      },
      {},
      no("not_active"),
    ],
    ["its authority is applied for", { status: "pending" }, {}, no("applied_for")],
    [
      "too little insurance is on file",
      covered({ onFile: 749_999 }),
      {},
      no("insurance_too_low", { required: 750_000, onFile: 749_999 }),
    ],
    [
      "its bond is not on file",
      { ...BROKER, cover: { ...(BROKER.cover as Cover), isBondOnFile: false } },
      {},
      no("bond_missing"),
    ],
    [
      "its cargo insurance is not on file",
      { ...MOVER, cover: { ...(MOVER.cover as Cover), isCargoOnFile: false } },
      {},
      no("cargo_missing"),
    ],
  ])("%s", (_what, authority, company, expected) => {
    expect(outcome([authority], company)).toEqual(expected);
  });

  it("says so although other facts are missing", () => {
    expect(outcome([{ status: "inactive" }], { isOutOfService: null, usdotStatus: null })).toEqual(
      no("not_active"),
    );
  });

  it("does not miss cargo insurance or a bond of a carrier of property", () => {
    expect(outcome([covered({ isCargoRequired: true, isBondRequired: true })])).toEqual(YES);
  });
});

describe("yes, until", () => {
  it("the day of the order that takes effect first, and not from that day on", () => {
    const orders = [order("2026-11-29"), order("2026-12-10", "revocation")];
    const limit = { code: "order", kind: "suspension", on: "2026-11-29" };
    expect(outcome([{ orders }], { asOf: "2026-11-28" }, "2026-11-28")).toEqual({ may: "yes", limit });
    expect(outcome([{ orders }], { asOf: "2026-11-28" }, "2026-11-29")).toEqual(
      gap("order_due", { kind: "suspension", on: "2026-11-29", asOf: "2026-11-28" }),
    );
  });

  it("the day on which its insurance ends, and not from that day on", () => {
    const authority = cancelled("2026-12-04");
    const limit = { code: "cancellation", insuranceType: "bipd", on: "2026-12-04" };
    expect(outcome([authority], { asOf: "2026-12-03" }, "2026-12-03")).toEqual({ may: "yes", limit });
    expect(outcome([authority], { asOf: "2026-12-03" }, "2026-12-04")).toEqual(
      gap("cancellation_due", { insuranceType: "bipd", on: "2026-12-04" }),
    );
  });

  it.each([
    ["2026-11-29", "2026-12-04", "order"],
    ["2026-12-04", "2026-11-29", "cancellation"],
  ])("whichever is first: order on %s, cancellation on %s", (ordered, ends, code) => {
    expect(outcome([{ ...cancelled(ends), orders: [order(ordered)] }])).toMatchObject({ limit: { code } });
  });
});

describe("not known, because", () => {
  it("the files are older than they may be", () => {
    expect(outcome([{}], {}, "2026-11-25")).toEqual(YES);
    expect(outcome([{}], {}, "2026-11-26")).toEqual(gap("files_old", { asOf: "2026-11-20" }));
    expect(outcome([{ status: "inactive" }], {}, "2026-11-26")).toMatchObject({ may: "not known" });
  });

  it.each<
    [what: string, authority: Partial<AuthorityFacts>, company: Partial<CompanyFacts>, expected: unknown]
  >([
    ["the registry no longer names the authority", { status: "missing" }, {}, gap("authority_not_named")],
    [
      "nobody knows what its status means",
      { status: "frozen" },
      {},
      gap("status_unknown", { status: "frozen" }),
    ],
    ["orders out of service are not known", {}, { isOutOfService: null }, gap("out_of_service_unknown")],
    ["the census does not have it", {}, { usdotStatus: null }, gap("usdot_unknown")],
    ["the census has another status of it", {}, { usdotStatus: "P" }, gap("usdot_unknown")],
    ["a revocation has no day", { isRevocationUndated: true }, {}, gap("revocation_undated")],
    [
      "a revocation has no day, although another order has one",
      { isRevocationUndated: true, orders: [order("2026-11-29")] },
      {},
      gap("revocation_undated"),
    ],
    ["no fact of its cover is known", { cover: null }, {}, gap("cancellation_unknown")],
    ["cancellations were not looked for", covered({ isChecked: false }), {}, gap("cancellation_unknown")],
    ["the required amount is not known", covered({ required: null }), {}, gap("amount_unknown")],
    ["the amount on file is not known", covered({ onFile: null }), {}, gap("amount_unknown")],
    [
      "its bond is not known",
      { ...BROKER, cover: { ...(BROKER.cover as Cover), isBondRequired: null, isBondOnFile: null } },
      {},
      gap("bond_unknown"),
    ],
    [
      "it is not known whether cargo insurance is required",
      { ...MOVER, cover: { ...(MOVER.cover as Cover), isCargoRequired: null, isCargoOnFile: false } },
      {},
      gap("cargo_unknown"),
    ],
    [
      "its cargo insurance is not known",
      { ...MOVER, cover: { ...(MOVER.cover as Cover), isCargoOnFile: null } },
      {},
      gap("cargo_unknown"),
    ],
  ])("%s", (_what, authority, company, expected) => {
    expect(outcome([authority], company)).toEqual(expected);
  });

  it("and yes when no insurance is required, whatever is on file", () => {
    expect(outcome([covered({ required: 0, onFile: null })])).toEqual(YES);
  });
});

describe("several authorities", () => {
  it("of one class: the one that lasts longest counts, then one that is not known", () => {
    const until = { orders: [order("2026-11-29")] };
    expect(outcome([until, { status: "inactive" }, {}])).toEqual(YES);
    expect(outcome([{ orders: [order("2026-12-10")] }, until])).toMatchObject({
      limit: { on: "2026-12-10" },
    });
    expect(outcome([{ status: "missing" }, until])).toMatchObject({ limit: { on: "2026-11-29" } });
    expect(outcome([{ status: "inactive" }, { status: "missing" }])).toEqual(gap("authority_not_named"));
    expect(outcome([{ status: "inactive" }, ended("revocation")])).toMatchObject(no("revoked"));
  });

  it("of several classes have one answer if it is the same, else one each", () => {
    expect(answers([{}, MOVER])).toEqual([{ role: "haul", classes: [], outcome: YES }]);
    expect(answers([{}, { ...MOVER, status: "pending" }])).toEqual([
      { role: "haul", classes: ["carrier_property"], outcome: YES },
      { role: "haul", classes: ["carrier_hhg"], outcome: no("applied_for") },
    ]);
  });

  it("of both roles have an answer each", () => {
    expect(answers([ended("revocation"), BROKER])).toEqual([
      { role: "haul", classes: [], outcome: no("revoked", { since: "2026-11-03" }) },
      { role: "arrange", classes: [], outcome: YES },
    ]);
  });
});
