import type pg from "pg";
import { describe, expect, it } from "vitest";
import { forgetEvents } from "../../../../src/events/detect/detect.ts";
import type { RegistryRows as Rows } from "../../../support/registry/derived-registry.ts";
import type { RegistryRow as Row } from "../../../support/registry/registry-rows.ts";
import { changeRows } from "../../../support/rows.ts";
import {
  COMPANY,
  context,
  history,
  INSURANCE,
  importRows,
  setStatus,
  statusesOf,
  useEmptyDatabase,
} from "./imported-rows.ts";

useEmptyDatabase();

describe("a loss of authority", () => {
  const suspension = (changedOn: string, reason = INSURANCE): Rows =>
    history({ changed_on: changedOn, reason, status: "inactive" });
  const types = async (...step: Parameters<typeof importRows>) =>
    (await importRows(...step)).map((event) => event.type);

  it("for lack of insurance is one event, the one with the most detail", async () => {
    await importRows("2026-11-17", COMPANY);
    expect(await importRows("2026-11-18", suspension("2026-11-18"), setStatus("inactive"))).toMatchObject([
      {
        type: "insurance_cancellation_suspension",
        data: { status_before: "active", status_after: "inactive" },
      },
    ]);
    expect(await types("2026-11-19", [])).toEqual([]);
  });

  it("is one event when the snapshot follows the history a day later", async () => {
    await importRows("2026-11-17", COMPANY);
    expect(await types("2026-11-18", suspension("2026-11-18"))).toEqual([
      "insurance_cancellation_suspension",
    ]);
    expect(await types("2026-11-19", [], setStatus("inactive"))).toEqual([]);
  });

  it("is one event when the history follows the snapshot a day later", async () => {
    await importRows("2026-11-17", COMPANY);
    expect(await types("2026-11-18", [], setStatus("inactive"))).toEqual(["authority_inactive"]);
    expect(await types("2026-11-19", suspension("2026-11-18"))).toEqual([]);
  });

  it("makes no other event after its event was deleted because of its age", async () => {
    await importRows("2026-11-17", COMPANY);
    await importRows("2026-11-18", [], setStatus("inactive"));
    const all = { before: new Date("2026-11-19T00:00:00Z"), upTo: 1_000_000, most: 10 };
    expect(await context.db.bulkTransaction((client) => forgetEvents(client, all))).toBe(1);
    expect(await types("2026-11-19", suspension("2026-11-18"))).toEqual([]);
  });

  it("is another event after the authority became active in between", async () => {
    await importRows("2026-11-10", COMPANY);
    expect(await types("2026-11-11", suspension("2026-11-11"), setStatus("inactive"))).toHaveLength(1);
    const back = history({ changed_on: "2026-11-13", reason: "Reinstated - insurance coverage restored" });
    expect(await types("2026-11-13", back, setStatus("active"))).toEqual(["reinstated"]);
    expect(await types("2026-11-18", suspension("2026-11-18"), setStatus("inactive"))).toEqual([
      "insurance_cancellation_suspension",
    ]);
  });

  // Found by the recount: rows of one import did not see each other's events.
  it("with several rows at once is one event, of the first row", async () => {
    await importRows("2026-11-15", COMPANY);
    const rows = [
      ...suspension("2026-11-18"),
      ...suspension("2026-11-16"),
      ...suspension("2026-11-18", `${INSURANCE}.`),
    ];
    expect(await importRows("2026-11-18", rows, setStatus("inactive"))).toMatchObject([
      { type: "insurance_cancellation_suspension", occurred_on: "2026-11-16" },
    ]);
    expect(await types("2026-11-19", suspension("2026-11-19"))).toEqual([]);
  });

  it("that was cured before the import makes no suspension", async () => {
    await importRows("2026-11-17", COMPANY);
    const cured = history({ changed_on: "2026-11-19", reason: "Reinstated" });
    expect(await types("2026-11-19", [...suspension("2026-11-18"), ...cured])).toEqual(["reinstated"]);
  });

  it.each([
    ["inactive", "Involuntary Suspension - BOC-3 cancellation effective"],
    ["inactive", "Revoked"],
    ["withdrawn", "Withdrawn by [e-mail removed]"],
  ])(
    "to %s for another reason (%s) is authority_inactive with its day and reason",
    async (status, reason) => {
      await importRows("2026-11-17", COMPANY);
      expect(
        await importRows(
          "2026-11-18",
          history({ changed_on: "2026-11-16", status, reason }),
          setStatus(status),
        ),
      ).toMatchObject([
        {
          type: "authority_inactive",
          occurred_on: "2026-11-16",
          source_dataset: "authority_snapshot",
          verify_method: "snapshot_comparison",
          data: { reason, status_before: "active", status_after: status },
        },
      ]);
    },
  );

  it("has the reason of the row of its day that has this status and a reason", async () => {
    await importRows("2026-11-17", COMPANY);
    const row = (number: number, given: Row) =>
      history({
        row_id: `00000000-0000-0000-0000-00000000000${number}`,
        changed_on: "2026-11-18",
        status: "inactive",
        ...given,
      });
    const rows = [
      ...row(1, { reason: null }),
      ...row(2, { status: "pending", reason: "Application filed" }),
      ...row(3, { reason: "Revoked" }),
      ...row(4, { reason: "Revoked, older", changed_on: "2026-11-16" }),
    ];
    expect(await importRows("2026-11-18", rows, setStatus("inactive"))).toMatchObject([
      { type: "authority_inactive", occurred_on: "2026-11-18", data: { reason: "Revoked" } },
    ]);
  });

  it("does not have the day of an older loss", async () => {
    const older = history({ changed_on: "2010-01-01", status: "inactive", reason: "REVOKED" });
    const back = history({ changed_on: "2012-01-01", reason: "REINSTATED" });
    await importRows("2026-11-17", [...COMPANY, ...older, ...back]);
    expect(await importRows("2026-11-18", [], setStatus("inactive"))).toMatchObject([{ occurred_on: null }]);
  });

  it("without a row in the history has no day", async () => {
    await importRows("2026-11-17", COMPANY);
    expect(await importRows("2026-11-18", [], setStatus("inactive"))).toMatchObject([
      { type: "authority_inactive", occurred_on: null, data: { reason: null } },
    ]);
  });

  it("is detected when an authority of the legacy registry first appears in Motus", async () => {
    await importRows("2026-11-17", [
      ["census", { usdot: 1001 }],
      ["legacy_carrier", { common_stat: "A", property: true }],
    ]);
    expect(await types("2026-11-18", [["motus_carrier", { status: "withdrawn" }]])).toEqual([
      "authority_inactive",
    ]);
  });
});

describe("a suspension of one type of authority", () => {
  const PROPERTY = {
    authority_class: "broker",
    op_auth_type: "Broker of Property (Except Household Goods)",
  };
  const HOUSEHOLD_GOODS = { authority_class: "broker", op_auth_type: "Broker of Household Goods" };
  const reason = "Involuntary Suspension - broker bond cancelled; no security on file";

  it("makes no event while the class stays active by another type, and one when that is lost too", async () => {
    await importRows("2026-11-17", [
      ["census", { usdot: 1001 }],
      ["motus_carrier", PROPERTY],
      ["motus_carrier", HOUSEHOLD_GOODS],
      ...history({ ...PROPERTY, changed_on: "2026-11-01" }),
    ]);
    const suspended = { status: "inactive", reason };
    const first = history({ ...HOUSEHOLD_GOODS, ...suspended, changed_on: "2026-11-18" });
    const setInactive =
      ({ op_auth_type }: Row) =>
      (client: pg.ClientBase) =>
        changeRows(client, "motus_carrier", { status: "inactive" }, { op_auth_type: op_auth_type as string });
    expect(await importRows("2026-11-18", first, setInactive(HOUSEHOLD_GOODS))).toEqual([]);
    const second = history({ ...PROPERTY, ...suspended, changed_on: "2026-11-19" });
    const events = await importRows("2026-11-19", second, setInactive(PROPERTY));
    expect(statusesOf(events)).toEqual([["insurance_cancellation_suspension", "active", "inactive"]]);
  });
});
