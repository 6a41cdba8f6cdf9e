import { describe, expect, it } from "vitest";
import type { RegistryRows as Rows } from "../../../support/registry/derived-registry.ts";
import type { RegistryRow as Row } from "../../../support/registry/registry-rows.ts";
import { COMPANY, history, importRows, setStatus, useEmptyDatabase } from "./imported-rows.ts";

useEmptyDatabase();

it("makes no event of a first import", async () => {
  const notice: Rows = [["motus_revokesuspend", { docket: "MC100001", usdot: 1001 }]];
  expect(
    await importRows("2026-11-18", [...COMPANY, ...history({ changed_on: "2026-11-17" }), ...notice]),
  ).toEqual([]);
});

it("makes no event of an import that changes nothing", async () => {
  await importRows("2026-11-18", COMPANY);
  await importRows("2026-11-19", history({ changed_on: "2026-11-19" }));
  expect(await importRows("2026-11-19", [])).toEqual([]);
});

it("never detects an event at an earlier time than the previous one, whatever the clock says", async () => {
  await importRows("2026-11-18", COMPANY);
  const [first] = await importRows("2026-11-20", history({ changed_on: "2026-11-18" }));
  const again = history({ changed_on: "2026-11-18", reason: "Reinstated" });
  const [second] = await importRows("2026-11-19", again);
  expect(second.detected_at).toEqual(first.detected_at);
});

describe("a new row of the history", () => {
  it.each<[string, Row, string | null]>([
    ["a native grant", { reason: "Granted" }, "new_authority_granted"],
    ["a grant that is not active", { reason: "Granted", status: "pending" }, null],
    ["a reinstatement", { reason: "Reinstated - insurance coverage restored" }, "reinstated"],
    ["a repair of FMCSA's own data", { reason: "Reinstated - MOTUS Issue #220" }, null],
    ["a proceeding that was stopped", { reason: "Discontinued Revocation" }, null],
    ["bookkeeping", { reason: "Administrative Correction" }, null],
    ["a passenger carrier's grant", { reason: "Granted", authority_class: "passenger" }, null],
  ])("that is %s", async (_name, row, type) => {
    await importRows("2026-11-18", COMPANY);
    const events = await importRows("2026-11-19", history({ changed_on: "2026-11-19", ...row }));
    expect(events.map((event) => event.type)).toEqual(type ? [type] : []);
  });

  it.each([
    ["Granted", ["new_authority_granted"]],
    ["GRANTED", []],
    ["Reinstated", ["reinstated"]],
    ["REINSTATED", []],
  ])(
    "dated before the legacy registry stopped (%s) makes an event unless FMCSA copied it from there",
    async (reason, types) => {
      await importRows("2026-05-10", COMPANY);
      const events = await importRows("2026-05-20", history({ changed_on: "2026-05-12", reason }));
      expect(events.map(({ type }) => type)).toEqual(types);
    },
  );

  it("makes an event with company, state, days and both statuses", async () => {
    await importRows("2026-11-16", [
      ["census", { usdot: 1001 }],
      ["motus_carrier", { status: "pending" }],
    ]);
    const [event] = await importRows(
      "2026-11-19",
      history({ changed_on: "2026-11-17" }),
      setStatus("active"),
    );
    expect(event).toMatchObject({
      type: "new_authority_granted",
      country: "US",
      usdot: 1001,
      docket: "MC100001",
      state: "TX",
      occurred_on: "2026-11-17",
      detected_at: new Date("2026-11-19T15:00:00Z"),
      source_dataset: "authority_history",
      verify_method: "registry_record",
      data: {
        legal_name: "EXAMPLE FREIGHT LLC",
        reason: "Granted",
        authority_type: "carrier_property",
        status_before: "pending",
        status_after: "active",
        effective_date: "2026-11-17",
      },
    });
  });

  it("about a company abroad, a test record or an unknown company makes none", async () => {
    await importRows("2026-11-18", [
      ["census", { usdot: 1, legal_name: "FMCSA" }],
      ["census", { usdot: 2, country: "MX" }],
      ["census", { usdot: 3, legal_name: "MOTUS TEST CARRIER" }],
    ]);
    const rows = [1, 2, 3, 4].flatMap((usdot) =>
      history({ usdot, docket: `MC${usdot}`, changed_on: "2026-11-19" }),
    );
    expect(await importRows("2026-11-19", rows)).toEqual([]);
  });

  it("that precedes the row of its authority makes an event by USDOT number", async () => {
    await importRows("2026-11-18", [["census", { usdot: 1001, state: "OH" }]]);
    expect(await importRows("2026-11-19", history({ changed_on: "2026-11-19" }))).toMatchObject([
      { usdot: 1001, state: "OH", data: { status_before: null, status_after: "active" } },
    ]);
  });

  it("with a future date makes one event on that day", async () => {
    await importRows("2026-11-18", COMPANY);
    expect(await importRows("2026-11-19", history({ changed_on: "2026-11-21" }))).toEqual([]);
    expect(await importRows("2026-11-21", [])).toHaveLength(1);
    expect(await importRows("2026-11-22", [])).toEqual([]);
  });

  it("in a state outside the US has no state", async () => {
    await importRows("2026-11-18", [
      ["census", { usdot: 1001, state: "ZZ" }],
      ["motus_carrier", {}],
    ]);
    expect(await importRows("2026-11-19", history({ changed_on: "2026-11-19" }))).toMatchObject([
      { state: null },
    ]);
  });
});

describe("a notice", () => {
  const notice = (row: Row = {}): Rows => [
    ["motus_revokesuspend", { docket: "MC100001", usdot: 1001, ...row }],
  ];

  it("is one event for an authority and day of service, however often it is repeated", async () => {
    await importRows("2026-11-09", COMPANY);
    expect(
      await importRows("2026-11-18", [...notice(), ...notice({ effective_on: "2026-12-11" })]),
    ).toMatchObject([
      {
        type: "revocation_pending",
        occurred_on: "2026-11-10",
        source_dataset: "revocation_suspension_notice",
        data: { effective_date: "2026-12-10", status_before: "active", status_after: "active" },
      },
    ]);
    expect(await importRows("2026-11-19", notice({ op_auth_type: "said again" }))).toEqual([]);
    expect(
      await importRows("2026-11-20", notice({ served_on: "2026-11-20", effective_on: "2026-12-20" })),
    ).toHaveLength(1);
  });

  it("about a new authority has no status before", async () => {
    await importRows("2026-11-09", [["census", { usdot: 1001 }]]);
    expect(await importRows("2026-11-18", [["motus_carrier", {}], ...notice()])).toMatchObject([
      { type: "revocation_pending", data: { status_before: null, status_after: "active" } },
    ]);
  });

  it("that was cured at once makes none", async () => {
    await importRows("2026-11-17", COMPANY);
    const cure = history({ changed_on: "2026-11-12", reason: "Discontinued Revocation" });
    expect(await importRows("2026-11-18", [...notice(), ...cure])).toEqual([]);
  });
});
