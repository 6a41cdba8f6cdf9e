import type pg from "pg";
import { describe, expect, it } from "vitest";
import type { RegistryRows as Rows } from "../../../support/registry/derived-registry.ts";
import { removeRows } from "../../../support/rows.ts";
import {
  COMPANY,
  context,
  history,
  INSURANCE,
  importRows,
  replace,
  setStatus,
  statusesOf,
  useEmptyDatabase,
} from "./imported-rows.ts";

useEmptyDatabase();

// A row is not the event itself: the registry rewords, redates and repeats rows.
describe("a change that is recorded in another way", () => {
  it("makes no event if only the wording differs", async () => {
    await importRows("2026-11-10", [...COMPANY, ...history({ changed_on: "2026-11-09", reason: "Granted" })]);
    const reworded = {
      changed_on: "2026-11-09",
      reason: "granted ",
      op_auth_type: "Motor Carrier of Property",
    };
    expect(await importRows("2026-11-11", [], replace("Granted", reworded))).toEqual([]);
  });

  it("makes no event if it is more than 30 days old", async () => {
    await importRows("2026-10-01", COMPANY);
    expect(await importRows("2026-11-11", history({ changed_on: "2026-10-11" }))).toEqual([]);
    expect(await importRows("2026-11-12", history({ changed_on: "2026-10-13" }))).toHaveLength(1);
  });

  it("makes no event if it is older than the authority, unless it is the first grant", async () => {
    await importRows("2026-11-10", [["census", { usdot: 1001 }]]);
    const rows = [
      ...history({ changed_on: "2026-11-08", reason: "Reinstated" }),
      ...history({ changed_on: "2026-11-10" }),
      ...history({ changed_on: "2026-11-11", reason: "Reinstated" }),
    ];
    const events = await importRows("2026-11-12", [["motus_carrier", {}], ...rows]);
    expect(events).toMatchObject([{ type: "reinstated", occurred_on: "2026-11-11" }]);
  });

  const GRANT = history({ changed_on: "2026-11-10", reason: "Granted" });
  const isNew = (client: pg.ClientBase) => client.query("INSERT INTO new_company VALUES (1001)");

  it.each<[string, Rows, Rows]>([
    ["with company and authority", [["census", { usdot: 9 }]], [...COMPANY, ...GRANT]],
    ["before its company", [["census", { usdot: 9 }], ...GRANT], COMPANY],
    [
      "before its authority",
      [
        ["census", { usdot: 9 }],
        ["census", { usdot: 1001 }],
      ],
      [["motus_carrier", {}], ...GRANT],
    ],
  ])("that is a first grant makes one event when it appears late, %s", async (_name, before, rows) => {
    await importRows("2026-11-09", [["census", { usdot: 8 }]]);
    await importRows("2026-11-10", before);
    const events = await importRows("2026-11-12", rows, isNew);
    expect(events).toMatchObject([{ type: "new_authority_granted", occurred_on: "2026-11-10", usdot: 1001 }]);
    expect(await importRows("2026-11-13", [], isNew)).toEqual([]);
  });

  it("makes no event when a company with an old history appears", async () => {
    await importRows("2026-11-11", [["census", { usdot: 8 }]]);
    const legacy: Rows = [["legacy_carrier", { common_stat: "I", property: true }]];
    expect(await importRows("2026-11-12", [...COMPANY, ...GRANT, ...legacy], isNew)).toEqual([]);
  });

  it("makes no event if the company was only missing from the census for a while", async () => {
    await importRows("2026-11-12", [...COMPANY, ...GRANT]);
    await importRows("2026-11-13", [], (client) => removeRows(client, "census", { usdot: 1001 }));
    expect(await importRows("2026-11-14", [["census", { usdot: 1001 }]], isNew)).toEqual([]);
  });

  it("makes no event of the grant of another company that has the docket of a new one", async () => {
    await importRows("2026-11-12", [...COMPANY, ...GRANT]);
    const other: Rows = [
      ["census", { usdot: 1002 }],
      ["motus_carrier", { usdot: 1002 }],
    ];
    expect(await importRows("2026-11-14", other)).toEqual([]);
  });

  it("orders a suspension and a reinstatement of one day by cause", async () => {
    await importRows("2026-11-10", COMPANY);
    const rows = [
      ...history({ changed_on: "2026-11-12", reason: "Reinstated - insurance coverage restored" }),
      ...history({ changed_on: "2026-11-12", reason: INSURANCE, status: "inactive" }),
    ];
    const events = await importRows("2026-11-12", rows);
    expect(statusesOf(events)).toEqual([
      ["insurance_cancellation_suspension", "active", "inactive"],
      ["reinstated", "inactive", "active"],
    ]);
    const { rows: states } = await context.db.pool.query("SELECT status FROM authority");
    expect(states).toEqual([{ status: "active" }]);
  });

  it("finds the status that an earlier one of the same import left", async () => {
    await importRows("2026-11-10", COMPANY, setStatus("inactive"));
    const rows = [
      ...history({ changed_on: "2026-11-11", reason: "Reinstated - insurance coverage restored" }),
      ...history({ changed_on: "2026-11-13", reason: INSURANCE, status: "inactive" }),
    ];
    expect(statusesOf(await importRows("2026-11-13", rows))).toEqual([
      ["reinstated", "inactive", "active"],
      ["insurance_cancellation_suspension", "active", "inactive"],
    ]);
  });

  it("recognises a suspension for lack of a bond", async () => {
    await importRows("2026-11-10", COMPANY);
    const reason = "Involuntary Suspension - broker bond cancelled; no security on file";
    const rows = history({ changed_on: "2026-11-12", reason, status: "inactive" });
    expect(await importRows("2026-11-12", rows, setStatus("inactive"))).toMatchObject([
      { type: "insurance_cancellation_suspension", data: { reason } },
    ]);
  });

  it("shows an authority without a docket as such", async () => {
    await importRows("2026-11-10", [
      ["census", { usdot: 1001 }],
      ["motus_carrier", { docket: "DOT1001" }],
    ]);
    const rows = history({ docket: "DOT1001", usdot: 1001, changed_on: "2026-11-12" });
    expect(await importRows("2026-11-12", rows)).toMatchObject([{ usdot: 1001, docket: null }]);
  });

  it("with a day and an unknown wording is a loss, but never a grant", async () => {
    await importRows("2026-11-10", COMPANY);
    const lost = history({ changed_on: "2026-11-12", reason: "Set aside", status: "inactive" });
    expect((await importRows("2026-11-12", lost, setStatus("inactive"))).map(({ type }) => type)).toEqual([
      "authority_inactive",
    ]);
    const gained = history({ changed_on: "2026-11-14", reason: "Set up" });
    expect(await importRows("2026-11-14", gained, setStatus("active"))).toEqual([]);
  });
});
