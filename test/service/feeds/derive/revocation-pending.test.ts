import { describe, expect, it } from "vitest";
import type { RegistryRows as Rows } from "../../../support/registry/derived-registry.ts";
import type { RegistryRow as Row } from "../../../support/registry/registry-rows.ts";
import { company, dotNumbers, feedsOf, grant, useDerivation } from "./derivation.ts";

useDerivation();

describe.concurrent("us_revocation_pending", () => {
  const notice = (row: Row = {}): Rows => [
    ["motus_revokesuspend", { usdot: 1001, docket: "MC1001", ...row }],
  ];
  const cure = (reason: string, changedOn: string, more: Row = {}): Rows => [
    ["motus_authhist", { usdot: 1001, docket: "MC1001", reason, changed_on: changedOn, ...more }],
  ];
  const pending = async (...rows: Rows[]) =>
    (await feedsOf([...company(1001), ...rows.flat()])).us_revocation_pending;

  it("has an active authority with an order that takes effect later", async () => {
    expect(await pending(notice())).toMatchObject([
      {
        dot_number: "1001",
        docket_number: "MC1001",
        authority_type: "carrier_property",
        order_type: "Operating Authority Involuntary Suspension Notice",
        authority_status: "active",
        order_served: "2026-11-10",
        order_effective: "2026-12-10",
      },
    ]);
  });

  it.each<[string, Row]>([
    ["takes effect today", { effective_on: "2026-11-20" }],
    ["is voluntary", { order_type: "Operating Authority Voluntary Suspension Notice" }],
    ["is about another class", { authority_class: "broker" }],
    ["is about another docket", { docket: "MC77" }],
  ])("leaves out an order that %s", async (_name, row) => {
    expect(await pending(notice(row))).toEqual([]);
  });

  it("finds the authority of an order without a docket by USDOT number", async () => {
    expect(dotNumbers(await pending(notice({ docket: null })))).toEqual(["1001"]);
    expect(await pending(notice({ docket: null, usdot: 2002 }))).toEqual([]);
    expect(dotNumbers(await pending(notice({ usdot: null })))).toEqual(["1001"]);
  });

  it.each([
    ["Reinstated - insurance coverage restored", "2026-11-12", true],
    ["Discontinued Revocation", "2026-11-10", true],
    ["GRANTED", "2026-11-15", true],
    ["Reinstated", "2026-11-09", false],
    ["Reinstated", "2026-11-21", false],
    ["Administrative Correction", "2026-11-12", false],
  ])("%s on %s cures it: %s", async (reason, changedOn, isCured) => {
    expect(dotNumbers(await pending(notice(), cure(reason, changedOn)))).toEqual(isCured ? [] : ["1001"]);
  });

  it("is not cured by a change of another authority of the docket", async () => {
    expect(
      await pending(notice(), cure("Reinstated", "2026-11-12", { authority_class: "broker" })),
    ).toHaveLength(1);
  });

  it("has one record for an authority, of the order that takes effect first", async () => {
    const orders = [
      notice({ served_on: "2026-11-09", effective_on: "2026-12-15" }),
      notice(),
      notice({ served_on: "2026-11-15", effective_on: "2026-12-15" }),
    ];
    expect(await pending(...orders)).toMatchObject([
      { order_served: "2026-11-10", order_effective: "2026-12-10" },
    ]);
  });

  it.each<[string, Row]>([
    ["without a day of service", { served_on: null }],
    ["served on a future day", { served_on: "2026-11-21" }],
  ])("has an order %s, by the day it takes effect", async (_name, row) => {
    expect(await pending(notice(row))).toMatchObject([{ order_served: null, order_effective: "2026-12-10" }]);
    const cured = cure("Reinstated", "2026-11-12");
    expect(await pending(notice(row), cured)).toEqual([]);
    expect(await pending(notice(row), cure("Reinstated", "2026-11-09"))).toHaveLength(1);
  });

  it("treats an order of an unknown type as one that revokes the authority", async () => {
    const order_type = "Operating Authority Involuntar Suspension Notice";
    const feeds = await feedsOf([...company(1001), ...notice({ order_type })]);
    expect(feeds.us_revocation_pending).toMatchObject([{ order_type }]);
    expect(feeds.us_small_carriers_active).toEqual([]);
  });

  it("assumes 30 days for an order that names no day of effect", async () => {
    expect(await pending(notice({ effective_on: null }))).toMatchObject([{ order_effective: "2026-12-10" }]);
    expect(await pending(notice({ effective_on: null, served_on: null }))).toEqual([]);
  });

  it("is exactly the set of authorities that other feeds leave out for it", async () => {
    const broker: Rows = [
      ["motus_carrier", { usdot: 1001, docket: "MC1001", authority_class: "broker", op_auth_type: "Broker" }],
    ];
    const feeds = await feedsOf([
      ...company(1001),
      ...broker,
      ...grant(1001, "2026-11-15"),
      ...notice({ served_on: "2026-11-16" }),
    ]);
    expect(feeds.us_small_carriers_active).toEqual([]);
    expect(feeds.us_new_authority_weekly).toEqual([]);
    expect(dotNumbers(feeds.us_brokers)).toEqual(["1001"]);
    const ofBroker = await feedsOf([...company(1001), ...broker, ...notice({ authority_class: "broker" })]);
    expect(dotNumbers(ofBroker.us_small_carriers_active)).toEqual(["1001"]);
    expect(ofBroker.us_brokers).toEqual([]);
  });

  it("reads the legacy registry's flags and open proceedings up to 2026-06-20 only", async () => {
    const rows: Rows = [
      ["census", { usdot: 1001 }],
      ["legacy_carrier", { common_stat: "A", property: true, common_revoking: true }],
      ["legacy_authhist", { action: "INVOLUNTARY REVOCATION", action_on: "2026-05-01" }],
    ];
    expect((await feedsOf(rows, "2026-05-20")).us_revocation_pending).toMatchObject([
      {
        order_served: "2026-05-01",
        order_effective: "2026-06-03",
        status_source: "legacy",
        last_verified: "2026-05-14",
      },
    ]);
    expect((await feedsOf(rows, "2026-06-21")).us_revocation_pending).toEqual([]);
  });
});
