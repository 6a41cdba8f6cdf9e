import { describe, expect, it } from "vitest";
import type { RegistryRows as Rows } from "../../../support/registry/derived-registry.ts";
import type { RegistryRow as Row } from "../../../support/registry/registry-rows.ts";
import { company, derive, dotNumbers, feedsOf, grant, useDerivation } from "./derivation.ts";

useDerivation();

describe.concurrent("us_new_authority_weekly", () => {
  const included = async (...rows: Rows[]) =>
    dotNumbers((await feedsOf(rows.flat())).us_new_authority_weekly);

  it("has the 28 days up to its as-of day, newest first", async () => {
    expect(
      await included(
        ...[company(1001), grant(1001, "2026-10-24")],
        ...[company(1002), grant(1002, "2026-10-23")],
        ...[company(1003), grant(1003, "2026-11-20")],
        ...[company(1004), grant(1004, "2026-11-21")],
      ),
    ).toEqual(["1003", "1001"]);
  });

  it.each<[string, Row, Row]>([
    ["an inactive USDOT number", { status_code: "I" }, {}],
    ["an authority that is not active", {}, { status: "inactive" }],
    ["a broker", {}, { authority_class: "broker" }],
    ["a passenger carrier", {}, { authority_class: "passenger" }],
    ["a company abroad", { country: "MX", state: "BC" }, {}],
    ["a test record", { legal_name: "MOTUS TEST CARRIER" }, {}],
  ])("leaves out %s", async (_name, census, authority) => {
    const history: Rows = [
      [
        "motus_authhist",
        { usdot: 1001, docket: "MC1001", changed_on: "2026-11-15", ...authority, status: "active" },
      ],
    ];
    expect(await included(company(1001, census, authority), history)).toEqual([]);
  });

  it("does not read a name that merely contains the letters as a test record", async () => {
    expect(
      await included(company(1001, { legal_name: "GREATEST TESTAROSSA HAULING" }), grant(1001, "2026-11-15")),
    ).toEqual(["1001"]);
  });

  it("leaves out the registry's own record, USDOT number 1", async () => {
    const feeds = await derive([...company(1), ...grant(1, "2026-11-15")]);
    expect(feeds.us_new_authority_weekly).toEqual([]);
  });

  it("leaves out an old company that was reinstated", async () => {
    expect(
      await included(company(1001), grant(1001, "2015-01-01"), [
        ["motus_authhist", { usdot: 1001, docket: "MC1001", changed_on: "2026-11-15", reason: "Reinstated" }],
      ]),
    ).toEqual([]);
  });

  it("has one record for a company granted two authorities", async () => {
    const second: Rows = [
      ["motus_carrier", { usdot: 1001, docket: "MC1001", authority_class: "carrier_hhg" }],
      [
        "motus_authhist",
        { usdot: 1001, docket: "MC1001", authority_class: "carrier_hhg", changed_on: "2026-11-15" },
      ],
    ];
    const feed = (await feedsOf([...company(1001), ...grant(1001, "2026-11-15"), ...second]))
      .us_new_authority_weekly;
    expect(feed).toMatchObject([
      {
        authority_type: "carrier_property",
        authority_granted: "2026-11-15",
        days_in_business: 5,
        authority_types: ["carrier_property", "carrier_hhg"],
      },
    ]);
  });

  it("names only the classes that were granted in the same weeks", async () => {
    const old: Rows = [
      ["motus_carrier", { usdot: 1001, docket: "MC1001", authority_class: "carrier_hhg" }],
      [
        "motus_authhist",
        { usdot: 1001, docket: "MC1001", authority_class: "carrier_hhg", changed_on: "2020-01-15" },
      ],
    ];
    const feeds = await feedsOf([...company(1001), ...grant(1001, "2026-11-15"), ...old]);
    expect(feeds.us_new_authority_weekly).toMatchObject([{ authority_types: ["carrier_property"] }]);
    expect(feeds.us_small_carriers_active).toMatchObject([
      { authority_type: "carrier_hhg", authority_types: ["carrier_property", "carrier_hhg"] },
    ]);
  });

  it("has a company whose authority has no docket", async () => {
    const rows: Rows = [
      ["census", { usdot: 1001 }],
      ["motus_carrier", { usdot: 1001, docket: "DOT1001" }],
      ["motus_authhist", { usdot: 1001, docket: "DOT1001", changed_on: "2026-11-15" }],
    ];
    expect((await feedsOf(rows)).us_new_authority_weekly).toMatchObject([
      { dot_number: "1001", docket_number: null, authority_granted: "2026-11-15" },
    ]);
  });
});

describe.concurrent("us_small_carriers_active", () => {
  it.each([
    [0, false],
    [1, true],
    [20, true],
    [21, false],
    [null, false],
  ])("with %s power units: %s", async (powerUnits, isIncluded) => {
    const feed = (await feedsOf(company(1001, { power_units: powerUnits }))).us_small_carriers_active;
    expect(dotNumbers(feed)).toEqual(isIncluded ? ["1001"] : []);
  });

  it("has records without a date of grant last, and orders equal dates by USDOT number", async () => {
    const feed = await feedsOf([
      ...company(1003),
      ...company(1002),
      ...grant(1002, "2020-01-01"),
      ...company(1001),
      ...grant(1001, "2020-01-01"),
      ...company(1004),
      ...grant(1004, "2021-01-01"),
    ]);
    expect(dotNumbers(feed.us_small_carriers_active)).toEqual(["1004", "1001", "1002", "1003"]);
  });

  const inRevocation: Rows = [
    ["census", { usdot: 1001 }],
    ["legacy_carrier", { common_stat: "A", property: true, usdot: 1001, common_revoking: true }],
    ["legacy_carrier", { docket: "MC2", common_stat: "A", property: true, usdot: 1001 }],
  ];

  it("leaves a company out while any of its authorities is in revocation", async () => {
    expect(dotNumbers((await feedsOf(inRevocation, "2026-06-20")).us_small_carriers_active)).toEqual([]);
  });

  // Every proceeding of the legacy registry had ended by then, so its flags no longer count.
  it("no longer reads the legacy registry's revocation flags after 2026-06-20", async () => {
    expect(dotNumbers((await feedsOf(inRevocation, "2026-06-21")).us_small_carriers_active)).toEqual([
      "1001",
    ]);
  });
});

describe.concurrent("us_brokers", () => {
  it("gives a company that is broker and freight forwarder two records", async () => {
    const feed = await feedsOf([
      ...company(1001, {}, { authority_class: "broker" }),
      ["motus_carrier", { usdot: 1001, docket: "FF77", authority_class: "freight_forwarder" }],
    ]);
    expect(feed.us_brokers?.map((record) => [record.entity_type, record.docket_number])).toEqual([
      ["broker", "MC1001"],
      ["freight_forwarder", "FF77"],
    ]);
  });

  it("has a broker that is not in the census, with the facts of its own file", async () => {
    const rows: Rows = [
      [
        "motus_carrier",
        {
          usdot: 1001,
          authority_class: "broker",
          legal_name: "LONE BROKER",
          state: "OH",
          phone: "6145550123",
        },
      ],
    ];
    expect((await feedsOf(rows)).us_brokers).toMatchObject([
      { company: "LONE BROKER", state: "OH", phone: "6145550123" },
    ]);
  });

  // Motus AuthHist has no names.
  it("has a broker that is not in the census and whose name only its second authority has", async () => {
    const named = {
      usdot: 1001,
      broker_stat: "A",
      docket: "MC1002",
      legal_name: "ZEBRA BROKERAGE LLC",
      city: "AKRON",
      state: "OH",
    };
    const rows: Rows = [
      [
        "motus_authhist",
        { usdot: 1001, docket: "MC1001", authority_class: "broker", changed_on: "2026-11-01" },
      ],
      ["legacy_carrier", named],
    ];
    expect((await feedsOf(rows)).us_brokers).toMatchObject([
      { company: "ZEBRA BROKERAGE LLC", city: "AKRON", state: "OH" },
    ]);
  });
});
