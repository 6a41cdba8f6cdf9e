import { describe, expect, it } from "vitest";
import type { RegistryRow as Row } from "../../support/registry/registry-rows.ts";
import {
  broker,
  DOCKETLESS,
  grantedOn,
  LEGACY,
  OF_HOUSEHOLD,
  OF_PROPERTY,
  pendingOf,
  type Rows,
  SUSPENDED,
  stateOf,
  useRegistry,
} from "./state-of-rows.ts";

useRegistry();

describe("rows under the other prefix", () => {
  const mexican = (row: Row): Row => ({ ...row, docket: "MX100001" });

  it("are about the authority of the same company", async () => {
    expect(await stateOf(["motus_carrier", {}], ["motus_authhist", mexican(SUSPENDED)])).toEqual([
      ["MC100001", 1001, "inactive"],
    ]);
    const granted = mexican({ changed_on: "2026-11-18" });
    expect(await grantedOn(["motus_carrier", {}], ["motus_authhist", granted])).toEqual(["2026-11-18"]);
    const legacy = mexican({ action_on: "2010-05-05" });
    expect(await grantedOn(["motus_carrier", {}], ["legacy_authhist", legacy])).toEqual(["2010-05-05"]);
    const order: Rows[number] = ["motus_revokesuspend", mexican({ usdot: 1001 })];
    expect(await pendingOf(["motus_carrier", {}], order)).toEqual([["MC100001", 1001, "carrier_property"]]);
    const cure: Rows[number] = [
      "motus_authhist",
      mexican({ changed_on: "2026-11-15", reason: "Reinstated" }),
    ];
    expect(await pendingOf(["motus_carrier", {}], order, cure)).toEqual([]);
  });

  it("are not about that of another company", async () => {
    const other = (row: Row) => mexican({ ...row, usdot: 2002 });
    expect(await stateOf(["motus_carrier", {}], ["motus_authhist", other(SUSPENDED)])).toContainEqual([
      "MC100001",
      1001,
      "active",
    ]);
    expect(
      await grantedOn(["motus_carrier", {}], ["legacy_authhist", other({ action_on: "2010-05-05" })]),
    ).toEqual([null]);
    expect(await pendingOf(["motus_carrier", {}], ["motus_revokesuspend", other({})])).toEqual([]);
  });
});

describe("of several types of one class", () => {
  const both = (status: string): Rows => [
    ["motus_carrier", broker(OF_PROPERTY)],
    ["motus_carrier", broker(OF_HOUSEHOLD, { status })],
  ];

  it("a loss of one is not that of the other, and one in other words is", async () => {
    const lost = (type: string): Rows[number] => ["motus_authhist", broker(type, SUSPENDED)];
    expect(await stateOf(...both("inactive"), lost(OF_HOUSEHOLD))).toEqual([["MC100001", 1001, "active"]]);
    expect(await stateOf(...both("active"), lost("Broker of Property"))).toEqual([
      ["MC100001", 1001, "inactive"],
    ]);
    // An older row in the words of Carrier doesn't hide it.
    const granted: Rows[number] = ["motus_authhist", broker(OF_PROPERTY, { changed_on: "2026-06-01" })];
    const carrier: Rows[number] = ["motus_carrier", broker(OF_PROPERTY)];
    expect(await stateOf(carrier, granted, lost("Broker of Property"))).toEqual([
      ["MC100001", 1001, "inactive"],
    ]);
  });

  it("a grant of one does not cure an order against the other", async () => {
    const order: Rows[number] = [
      "motus_revokesuspend",
      broker(OF_PROPERTY, { docket: "MC100001", usdot: 1001 }),
    ];
    const granted = (type: string, row: Row = {}): Rows[number] => [
      "motus_authhist",
      broker(type, { changed_on: "2026-11-15", ...row }),
    ];
    const pending = [["MC100001", 1001, "broker"]];
    expect(await pendingOf(...both("active"), order, granted(OF_HOUSEHOLD))).toEqual(pending);
    expect(await pendingOf(...both("active"), order, granted(OF_PROPERTY))).toEqual([]);
    expect(await pendingOf(...both("active"), order, granted("Broker"))).toEqual([]);
    expect(await pendingOf(...both("active"), order, granted(OF_PROPERTY, { usdot: 2002 }))).toEqual(pending);
  });
});

it("a status that is not known is a loss, also for the date of grant", async () => {
  const unknown: Rows[number] = ["motus_authhist", { ...SUSPENDED, status: "suspended" }];
  expect(await stateOf(["motus_carrier", {}], unknown)).toEqual([["MC100001", 1001, "inactive"]]);
  const granted: Rows = [
    ["motus_authhist", { changed_on: "2020-01-01" }],
    ["motus_authhist", { ...SUSPENDED, status: "suspended", changed_on: "2024-01-01" }],
    ["motus_authhist", { changed_on: "2025-01-01" }],
  ];
  expect(await grantedOn(["motus_carrier", {}], ...granted)).toEqual(["2025-01-01"]);
});

describe("an order", () => {
  const order = (row: Row): Rows[number] => [
    "motus_revokesuspend",
    { docket: "MC100001", usdot: 1001, ...row },
  ];
  const authorities: Rows = [
    ["motus_carrier", {}],
    ["motus_carrier", broker(OF_PROPERTY)],
  ];

  it("of an unknown class is about each authority of its docket, or of its company", async () => {
    const each = [
      ["MC100001", 1001, "broker"],
      ["MC100001", 1001, "carrier_property"],
    ];
    expect(await pendingOf(...authorities, order({ authority_class: "unknown" }))).toEqual(each);
    expect(await pendingOf(...authorities, order({ authority_class: "unknown", docket: null }))).toEqual(
      each,
    );
    expect(await stateOf(LEGACY, order({ authority_class: "unknown", effective_on: "2026-11-01" }))).toEqual([
      ["MC100001", 1001, "inactive"],
    ]);
  });

  it("on a docket is about its company's authority that Carrier has without one", async () => {
    const docketless: Rows[number] = ["motus_carrier", { docket: DOCKETLESS }];
    const pending = [[DOCKETLESS, 1001, "carrier_property"]];
    expect(await pendingOf(docketless, order({}))).toEqual(pending);
    expect(await pendingOf(docketless, order({ usdot: 2002 }))).toEqual([]);
    const cure = (row: Row = {}): Rows[number] => [
      "motus_authhist",
      { changed_on: "2026-11-15", reason: "Reinstated", ...row },
    ];
    expect(await pendingOf(docketless, order({}), cure())).toEqual([]);
    expect(await pendingOf(docketless, order({}), cure({ usdot: 2002 }))).toEqual(pending);
    // Of several authorities it is about the one that it names.
    expect(await pendingOf(docketless, ["motus_carrier", {}], order({}))).toEqual([
      ["MC100001", 1001, "carrier_property"],
    ]);
  });

  it("on a docket that two companies have is about the one that it names, or about both", async () => {
    const holders: Rows = [
      ["motus_carrier", {}],
      ["motus_carrier", { usdot: 2002 }],
    ];
    const companies = async (usdot: number | null) =>
      (await pendingOf(...holders, order({ usdot }))).map(([, each]) => each);
    expect(await companies(2002)).toEqual([2002]);
    expect(await companies(null)).toEqual([1001, 2002]);
    expect(await companies(3003)).toEqual([1001, 2002]);
  });
});
