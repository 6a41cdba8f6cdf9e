import { describe, expect, it } from "vitest";
import type { RegistryRows } from "../../support/registry/derived-registry.ts";
import type { RegistryRow as Row } from "../../support/registry/registry-rows.ts";
import { authoritiesOf } from "./derived-authorities.ts";
import { context, useRegistry } from "./state-of-rows.ts";

useRegistry();

const stateOf = (rows: RegistryRows) => authoritiesOf(context, rows);

describe("the source of an authority's state", () => {
  it("is Motus for a docket and class that it has", async () => {
    const states = await stateOf([
      ["motus_carrier", { status: "inactive" }],
      ["legacy_carrier", { common_stat: "A", property: true }],
    ]);
    expect(states).toMatchObject([
      { authority_class: "carrier_property", status: "inactive", status_source: "motus" },
    ]);
  });

  it("stays legacy for another class of the same docket that Motus does not have", async () => {
    const states = await stateOf([
      ["motus_carrier", { status: "inactive" }],
      ["legacy_carrier", { common_stat: "A", broker_stat: "A", property: true }],
    ]);
    expect(states).toMatchObject([
      { authority_class: "broker", status: "active", status_source: "legacy" },
      { authority_class: "carrier_property", status: "inactive", status_source: "motus" },
    ]);
  });

  it("is Motus even if it gives the docket another USDOT number", async () => {
    const states = await stateOf([
      ["motus_carrier", { usdot: 2002 }],
      ["legacy_carrier", { usdot: 1001, common_stat: "A", property: true }],
    ]);
    expect(states.map(({ usdot }) => usdot)).toEqual([2002]);
  });

  // Ten dockets were written MX for MC: one of the authorities was there twice.
  it("is that of the docket that Carrier has, where the prefix alone differs", async () => {
    const renamed: [string, Row] = ["motus_carrier", { docket: "MX100001" }];
    const others: [string, Row][] = [
      ["motus_authhist", { changed_on: "2026-06-01", status: "active", reason: "Granted" }],
      ["legacy_carrier", { common_stat: "A", property: true }],
    ];
    for (const other of others) {
      expect((await stateOf([renamed, other])).map(({ docket }) => docket)).toEqual(["MX100001"]);
      const [table, row] = other;
      const ofAnother = await stateOf([renamed, [table, { ...row, usdot: 2002 }]]);
      expect(ofAnother.map(({ docket, usdot }) => [docket, usdot])).toEqual([
        ["MC100001", 2002],
        ["MX100001", 1001],
      ]);
    }
  });

  it("is the newest row of AuthHist if Carrier has none, never the legacy registry again", async () => {
    const states = await stateOf([
      ["motus_authhist", { changed_on: "2026-06-01", status: "active", reason: "Reinstated" }],
      ["motus_authhist", { changed_on: "2026-07-01", status: "inactive", reason: "Revoked" }],
      ["legacy_carrier", { common_stat: "A", property: true }],
    ]);
    expect(states).toMatchObject([{ usdot: 1001, status: "inactive", status_source: "motus" }]);
  });

  it("is a loss in AuthHist if Carrier still says active", async () => {
    const lost = { changed_on: "2026-11-19", status: "inactive", reason: "Revoked" };
    expect(
      await stateOf([
        ["motus_carrier", {}],
        ["motus_authhist", lost],
      ]),
    ).toMatchObject([{ status: "inactive" }]);
    // A gain that Carrier does not show does not count yet.
    const gained = { changed_on: "2026-11-19", status: "active", reason: "Reinstated" };
    expect(
      await stateOf([
        ["motus_carrier", { status: "inactive" }],
        ["motus_authhist", gained],
      ]),
    ).toMatchObject([{ status: "inactive" }]);
  });

  it("is not a loss of another company that has the docket too", async () => {
    const withdrawn = { changed_on: "2026-11-19", status: "withdrawn", reason: "Withdrawn" };
    const statesOf = async (usdot: number | null) =>
      (
        await stateOf([
          ["motus_carrier", {}],
          ["motus_carrier", { usdot: 2002, status: "withdrawn" }],
          ["motus_authhist", { changed_on: "2026-11-10", status: "active", reason: "Granted" }],
          ["motus_authhist", { ...withdrawn, usdot }],
        ])
      ).map((state) => [state.usdot, state.status]);
    expect(await statesOf(2002)).toEqual([
      [1001, "active"],
      [2002, "withdrawn"],
    ]);
    // A row that names nobody may be about each of them.
    expect(await statesOf(null)).toContainEqual([1001, "withdrawn"]);
  });

  it("is Carrier if AuthHist has both statuses on its newest day", async () => {
    const of = (status: string, reason: string) => ({ changed_on: "2026-11-19", status, reason });
    const rows: [string, Row][] = [
      ["motus_authhist", of("inactive", "Involuntary Suspension - insurance cancellation effective")],
      ["motus_authhist", of("active", "Reinstated")],
    ];
    expect(await stateOf([["motus_carrier", {}], ...rows])).toMatchObject([{ status: "active" }]);
    expect(await stateOf([["motus_carrier", { status: "inactive" }], ...rows])).toMatchObject([
      { status: "inactive" },
    ]);
    expect(await stateOf(rows)).toMatchObject([{ status: "inactive" }]);
  });

  it("is an order of Motus, once it takes effect, on an authority that only the legacy registry has", async () => {
    const legacy: [string, Row] = ["legacy_carrier", { common_stat: "A", property: true }];
    const order = (row: Row): [string, Row] => [
      "motus_revokesuspend",
      { docket: "MC100001", usdot: 1001, ...row },
    ];
    expect(await stateOf([legacy, order({ effective_on: "2026-12-01" })])).toMatchObject([
      { status: "active", status_source: "motus" },
    ]);
    expect(await stateOf([legacy, order({ effective_on: "2026-11-01" })])).toMatchObject([
      { status: "inactive", status_source: "motus" },
    ]);
    expect(await stateOf([legacy, order({ effective_on: "2026-11-01", docket: null })])).toMatchObject([
      { status: "inactive" },
    ]);
    // The legacy status already includes orders from before the legacy registry stopped.
    expect(await stateOf([legacy, order({ effective_on: "2019-11-01" })])).toMatchObject([
      { status: "active", status_source: "legacy" },
    ]);
  });

  it("is missing for an authority that Motus named before and names no more", async () => {
    const stored: [string, Row] = [
      "authority",
      {
        docket: "MC100001",
        authority_class: "carrier_property",
        usdot: 1001,
        op_auth_type: "x",
        status: "active",
        status_source: "motus",
        revocation_pending: false,
        first_seen_on: "2026-06-01",
        in_motus: true,
      },
    ];
    const legacy: [string, Row] = ["legacy_carrier", { common_stat: "A", property: true }];
    expect(await stateOf([stored, legacy])).toMatchObject([{ status: "missing", status_source: "motus" }]);
  });

  it("uses the most active type if Motus has several of one class", async () => {
    const states = await stateOf([
      ["motus_carrier", { status: "withdrawn", op_auth_type: "Enterprise Motor Carrier of Property" }],
      ["motus_carrier", { status: "active" }],
      ["motus_carrier", { status: "pending", op_auth_type: "Another Motor Carrier of Property" }],
    ]);
    expect(states).toMatchObject([{ status: "active" }]);
  });
});

describe("a legacy row", () => {
  const legacy = async (row: Row) =>
    (await stateOf([["legacy_carrier", row]])).map((authority) => [
      authority.authority_class,
      authority.status,
    ]);

  it.each<[string, Row, string[][]]>([
    [
      "common active",
      { common_stat: "A", contract_stat: "I", property: true },
      [["carrier_property", "active"]],
    ],
    [
      "contract active",
      { common_stat: "I", contract_stat: "A", property: true },
      [["carrier_property", "active"]],
    ],
    [
      "pending beats inactive",
      { common_stat: "I", common_pending: true, property: true },
      [["carrier_property", "pending"]],
    ],
    ["inactive", { common_stat: "I", property: true }, [["carrier_property", "inactive"]]],
    ["none", { property: true }, []],
    ["no kind of service named", { common_stat: "A" }, [["carrier_property", "active"]]],
    ["household goods alone", { common_stat: "A", household_goods: true }, [["carrier_hhg", "active"]]],
    ["passengers alone", { common_stat: "A", passenger: true }, [["passenger", "active"]]],
    [
      "property and household goods",
      { common_stat: "A", property: true, household_goods: true },
      [
        ["carrier_hhg", "active"],
        ["carrier_property", "active"],
      ],
    ],
    ["broker", { broker_stat: "A" }, [["broker", "active"]]],
    ["broker pending", { broker_stat: "N", broker_pending: true }, [["broker", "pending"]]],
    ["freight forwarder", { docket: "FF4711", contract_stat: "A" }, [["freight_forwarder", "active"]]],
    ["without a USDOT number", { usdot: null, common_stat: "A" }, []],
  ])("%s", async (_name, row, expected) => {
    expect(await legacy(row)).toEqual(expected);
  });

  it("is in revocation when the active kind is", async () => {
    const pending = async (row: Row) => (await stateOf([["legacy_carrier", row]]))[0]?.revocation_pending;
    expect(await pending({ common_stat: "A", common_revoking: true })).toBe(true);
    expect(await pending({ common_stat: "I", common_revoking: true })).toBe(false);
    expect(await pending({ broker_stat: "A", broker_revoking: true })).toBe(true);
  });
});
