import type pg from "pg";
import { describe, expect, it } from "vitest";
import { withdrawDetected } from "../../../../src/events/detect/detect.ts";
import { EVENT_TYPES } from "../../../../src/events/event-types.ts";
import { deleteHistory, type RegistryRows as Rows } from "../../../support/registry/derived-registry.ts";
import { putRegistryRow, type RegistryRow as Row } from "../../../support/registry/registry-rows.ts";
import { changeRows, removeRows } from "../../../support/rows.ts";
import {
  COMPANY,
  context,
  corrections,
  eventOf,
  history,
  importRows,
  replace,
  setStatus,
  useEmptyDatabase,
} from "./imported-rows.ts";

useEmptyDatabase();

describe("a change that is recorded in another way", () => {
  it("corrects the day of its event, and records the time of the correction", async () => {
    await importRows("2026-11-10", COMPANY);
    const [event] = await importRows("2026-11-12", history({ changed_on: "2026-11-12", reason: "Granted" }));
    const corrected = { changed_on: "2026-11-11", reason: "Granted" };
    expect(await importRows("2026-11-13", [], replace("Granted", corrected))).toEqual([]);
    expect(await eventOf("new_authority_granted")).toMatchObject([
      {
        id: event.id,
        occurred_on: "2026-11-11",
        detected_at: event.detected_at,
        data: { effective_date: "2026-11-11", reason: "Granted", corrected_at: "2026-11-13T15:00:00.000Z" },
      },
    ]);
    // When the row is back, its event is the same.
    expect(
      await importRows("2026-11-14", [], replace("Granted", { changed_on: "2026-11-12", reason: "Granted" })),
    ).toEqual([]);
    expect(await eventOf("new_authority_granted")).toMatchObject([
      { id: event.id, occurred_on: "2026-11-12" },
    ]);
  });

  it("corrects the status of its event", async () => {
    await importRows("2026-11-10", COMPANY);
    await importRows("2026-11-12", history({ changed_on: "2026-11-12", reason: "Granted" }));
    const corrected = { changed_on: "2026-11-12", reason: "Published to FMCSA Register", status: "pending" };
    const change = async (client: pg.ClientBase) => {
      await replace("Granted", corrected)(client);
      await setStatus("pending")(client);
    };
    expect(await importRows("2026-11-13", [], change)).toEqual([]);
    expect(await eventOf("new_authority_granted")).toMatchObject([
      {
        data: {
          reason: "Published to FMCSA Register",
          status_after: "pending",
          corrected_at: expect.any(String),
        },
      },
    ]);
  });

  it("corrects the day on which an order takes effect", async () => {
    const order: Row = {
      docket: "MC100001",
      usdot: 1001,
      served_on: "2026-11-12",
      effective_on: "2026-12-12",
    };
    await importRows("2026-11-10", COMPANY);
    await importRows("2026-11-12", [["motus_revokesuspend", order]]);
    const change = async (client: pg.ClientBase) => {
      await changeRows(client, "motus_revokesuspend", { effective_on: "2026-12-20" });
    };
    expect(await importRows("2026-11-13", [], change)).toEqual([]);
    expect(await eventOf("revocation_pending")).toMatchObject([
      { occurred_on: "2026-11-12", data: { effective_date: "2026-12-20", corrected_at: expect.any(String) } },
    ]);
  });

  it("withdraws a grant whose row vanishes, once, and confirms it when the row is back", async () => {
    await importRows("2026-11-10", [...COMPANY, ...history({ changed_on: "2010-01-01", reason: "GRANTED" })]);
    const granted = history({ changed_on: "2026-11-12", reason: "Granted" });
    const [event] = await importRows("2026-11-12", granted);
    expect(await importRows("2026-11-13", [], (client) => deleteHistory(client, "Granted"))).toEqual([]);
    expect(await eventOf("new_authority_granted")).toMatchObject([
      {
        id: event.id,
        occurred_on: "2026-11-12",
        data: { correction: "withdrawn", corrected_at: "2026-11-13T15:00:00.000Z", status_now: "active" },
      },
    ]);
    await importRows("2026-11-14", []);
    expect(await corrections()).toEqual([{ event_id: event.id, kind: "withdrawn", is_rollback: false }]);
    expect(await importRows("2026-11-15", granted)).toEqual([]);
    expect(await corrections()).toMatchObject([
      { kind: "withdrawn" },
      { event_id: event.id, kind: "changed" },
    ]);
    expect(await eventOf("new_authority_granted")).toMatchObject([{ data: { correction: "changed" } }]);
  });

  // Eleven old rows were dated this week for a day.
  it("withdraws a grant whose row is an old one again", async () => {
    const old = { changed_on: "1995-03-01", reason: "GRANTED" };
    await importRows("2026-11-10", [...COMPANY, ...history(old)]);
    const redated = async (client: pg.ClientBase) => {
      await deleteHistory(client, "GRANTED");
      await putRegistryRow(client, "motus_authhist", { changed_on: "2026-11-12", reason: "Granted" });
    };
    expect(await importRows("2026-11-12", [], redated)).toHaveLength(1);
    expect(await importRows("2026-11-13", [], replace("Granted", old))).toEqual([]);
    expect(await eventOf("new_authority_granted")).toMatchObject([
      { occurred_on: "2026-11-12", data: { correction: "withdrawn" } },
    ]);
  });

  it("withdraws an order that vanishes before it takes effect, and none that was cured or has taken effect", async () => {
    const order = (docket: string, usdot: number, effective_on = "2026-12-12"): Rows => [
      ["census", { usdot }],
      ["motus_carrier", { docket, usdot }],
      ["motus_revokesuspend", { docket, usdot, served_on: "2026-11-12", effective_on }],
    ];
    await importRows("2026-11-10", [["census", { usdot: 9 }]]);
    const rows = [...order("MC1", 11), ...order("MC2", 12), ...order("MC3", 13, "2026-11-20")];
    const events = await importRows("2026-11-12", rows);
    expect(events).toHaveLength(3);
    const cured = history({
      docket: "MC2",
      usdot: 12,
      changed_on: "2026-11-13",
      reason: "Discontinued Revocation",
    });
    await importRows("2026-11-13", cured, (client) =>
      removeRows(client, "motus_revokesuspend", { docket: "MC1" }),
    );
    await importRows("2026-11-21", [], (client) =>
      removeRows(client, "motus_revokesuspend", { docket: "MC3" }),
    );
    const [first] = events.filter(({ docket }) => docket === "MC1");
    expect(await corrections()).toEqual([{ event_id: first.id, kind: "withdrawn", is_rollback: false }]);
  });

  it("withdraws a loss that no row explains when the authority is active again", async () => {
    await importRows("2026-11-10", COMPANY);
    const [event] = await importRows("2026-11-12", [], setStatus("inactive"));
    await importRows("2026-11-13", [], setStatus("active"));
    expect(await corrections()).toEqual([{ event_id: event.id, kind: "withdrawn", is_rollback: false }]);
    // Another loss is another event.
    expect(await importRows("2026-11-15", [], setStatus("inactive"))).toHaveLength(1);
    await importRows("2026-11-16", []);
    expect(await corrections()).toHaveLength(1);
  });

  it("keeps a loss whose authority was reinstated, also when the row comes later", async () => {
    await importRows("2026-11-10", COMPANY);
    await importRows("2026-11-12", [], setStatus("inactive"));
    const back = history({ changed_on: "2026-11-13", reason: "Reinstated" });
    await importRows("2026-11-13", back, setStatus("active"));
    expect(await corrections()).toEqual([]);
    await importRows("2026-11-16", [], setStatus("inactive"));
    await importRows("2026-11-17", [], setStatus("active"));
    await importRows("2026-11-18", history({ changed_on: "2026-11-17", reason: "Reinstated." }));
    expect(await corrections()).toMatchObject([{ kind: "withdrawn" }, { kind: "changed" }]);
  });

  it("confirms what a rollback took back, if the next import still finds it", async () => {
    await importRows("2026-11-10", [
      ...COMPANY,
      ["census", { usdot: 2 }],
      ["motus_carrier", { docket: "MC2", usdot: 2 }],
    ]);
    const rows = [
      ...history({ changed_on: "2026-11-12", reason: "Granted" }),
      ...history({ docket: "MC2", usdot: 2, changed_on: "2026-11-12", reason: "granted" }),
    ];
    const events = await importRows("2026-11-12", rows);
    const rolledBack = {
      types: EVENT_TYPES,
      classes: ["carrier_property"],
      since: new Date("2026-11-12T00:00:00Z"),
    };
    const withdraw = (since = rolledBack.since) =>
      context.db.bulkTransaction((client) =>
        withdrawDetected(client, { ...rolledBack, since, now: context.clock.now() }),
      );
    expect(await withdraw()).toBe(2);
    expect(await withdraw()).toBe(0);
    await importRows("2026-11-13", [], (client) => deleteHistory(client, "granted"));
    expect(await corrections()).toMatchObject([
      { kind: "withdrawn", is_rollback: true },
      { kind: "withdrawn", is_rollback: true },
      { event_id: events.find(({ docket }) => docket === "MC100001")?.id, kind: "changed" },
    ]);
    // A rollback of the import that confirmed it takes it back again, though an earlier one detected it.
    expect(await withdraw(new Date("2026-11-14T00:00:00Z"))).toBe(0);
    expect(await withdraw(new Date("2026-11-13T00:00:00Z"))).toBe(1);
  });
});
