import type pg from "pg";
import { describe, expect, it } from "vitest";
import { deleteHistory, type RegistryRows as Rows } from "../../../support/registry/derived-registry.ts";
import type { RegistryRow as Row } from "../../../support/registry/registry-rows.ts";
import { changeRows, removeRows } from "../../../support/rows.ts";
import {
  COMPANY,
  context,
  corrections,
  eventOf,
  history,
  INSURANCE,
  importRows,
  replace,
  setStatus,
  statusesOf,
  useEmptyDatabase,
} from "./imported-rows.ts";

useEmptyDatabase();

describe("a docket that two companies have", () => {
  const BOTH: Rows = [...COMPANY, ["census", { usdot: 1002 }], ["motus_carrier", { usdot: 1002 }]];
  const lost = (usdot: number, changedOn: string, reason: string): Rows =>
    history({ usdot, changed_on: changedOn, reason, status: "inactive" });
  const granted = (usdot: number, changedOn: string): Rows =>
    history({ usdot, changed_on: changedOn, reason: "Granted" });
  const setStatusOf = (usdot: number, status: string) => (client: pg.ClientBase) =>
    changeRows(client, "motus_carrier", { status }, { usdot });
  const told = (events: Awaited<ReturnType<typeof importRows>>) =>
    events.map(({ type, usdot, occurred_on, data }) => [type, usdot, occurred_on, data.reason]);

  it("has the suspension of one of them, though the other was granted authority since", async () => {
    await importRows("2026-11-17", BOTH);
    const rows = [...lost(1001, "2026-11-18", INSURANCE), ...granted(1002, "2026-11-19")];
    expect(told(await importRows("2026-11-19", rows, setStatusOf(1001, "inactive")))).toEqual([
      ["insurance_cancellation_suspension", 1001, "2026-11-18", INSURANCE],
      ["new_authority_granted", 1002, "2026-11-19", "Granted"],
    ]);
  });

  it("tells a loss of one of them once, though the other was granted authority since", async () => {
    await importRows("2026-11-15", BOTH);
    await importRows("2026-11-16", lost(1001, "2026-11-16", INSURANCE));
    const rows = [...granted(1002, "2026-11-17"), ...lost(1001, "2026-11-18", INSURANCE)];
    expect(told(await importRows("2026-11-18", rows, setStatusOf(1001, "inactive")))).toEqual([
      ["new_authority_granted", 1002, "2026-11-17", "Granted"],
    ]);
    await importRows("2026-11-19", [], setStatusOf(1001, "pending"));
    expect(await importRows("2026-11-20", [], setStatusOf(1001, "inactive"))).toEqual([]);
  });

  it("does not give one of them the day and the reason of the other's loss", async () => {
    await importRows("2026-11-17", BOTH);
    const rows = lost(1002, "2026-11-18", "Revoked");
    expect(told(await importRows("2026-11-18", rows, setStatus("inactive")))).toEqual([
      ["authority_inactive", 1002, "2026-11-18", "Revoked"],
      ["authority_inactive", 1001, null, null],
    ]);
  });

  it("withdraws a loss of one of them, though the other was granted authority since", async () => {
    await importRows("2026-11-17", BOTH);
    const [event] = await importRows("2026-11-18", [], setStatusOf(1001, "inactive"));
    await importRows("2026-11-19", granted(1002, "2026-11-19"), setStatusOf(1001, "active"));
    const { rows } = await context.db.pool.query("SELECT event_id, kind FROM event_correction");
    expect(rows).toEqual([{ event_id: event.id, kind: "withdrawn" }]);
  });

  it("withdraws an order on one of them that vanishes, though the other has one of the same day", async () => {
    const order = (usdot: number): Rows => [["motus_revokesuspend", { docket: "MC100001", usdot }]];
    await importRows("2026-11-09", BOTH);
    const events = await importRows("2026-11-18", [...order(1001), ...order(1002)]);
    expect(events.map(({ type }) => type)).toEqual(["revocation_pending", "revocation_pending"]);
    const ofFirst = events.find(({ usdot }) => usdot === 1001);
    await importRows("2026-11-19", [], (client) =>
      removeRows(client, "motus_revokesuspend", { usdot: 1001 }),
    );
    const { rows } = await context.db.pool.query("SELECT event_id, kind FROM event_correction");
    expect(rows).toEqual([{ event_id: ofFirst.id, kind: "withdrawn" }]);
  });
});

describe("an authority", () => {
  /** The company's authority and its history are under another docket from this import on. */
  const moveTo = (docket: string, row: Row) => async (client: pg.ClientBase) => {
    await replace("Granted", { ...row, docket })(client);
    // A merge notes the dockets of the rows that it deletes, too.
    await client.query("INSERT INTO touched_docket SELECT docket FROM motus_carrier");
    await changeRows(client, "motus_carrier", { docket });
  };

  it("makes no event when the prefix of a docket alone changes, and keeps the day of grant", async () => {
    await importRows("2026-11-10", [...COMPANY, ...history({ changed_on: "2026-11-01", reason: "Granted" })]);
    const rename = (docket: string) => (client: pg.ClientBase) =>
      changeRows(client, "motus_carrier", { docket });
    expect(await importRows("2026-11-12", [], rename("MX100001"))).toEqual([]);
    const { rows } = await context.db.pool.query(
      "SELECT docket, status, granted_on FROM authority ORDER BY docket",
    );
    expect(rows).toEqual([
      { docket: "MC100001", status: "missing", granted_on: "2026-11-01" },
      { docket: "MX100001", status: "active", granted_on: "2026-11-01" },
    ]);
    expect(await importRows("2026-11-13", [], rename("MC100001"))).toEqual([]);
    expect(await corrections()).toEqual([]);
  });

  describe.each([
    ["got another prefix", "MC100001", "MX100001"],
    ["was received", "DOT1001", "MC100001"],
  ])("whose docket %s", (_name, before, now) => {
    const grant = (changed_on: string): Row => ({ docket: before, changed_on, reason: "Granted" });
    const company: Rows = [
      ["census", { usdot: 1001 }],
      ["motus_carrier", { docket: before }],
    ];

    it("makes no event if it was granted before the first import", async () => {
      await importRows("2026-11-18", [...company, ...history(grant("2026-11-16"))]);
      await importRows("2026-11-19", []);
      expect(await importRows("2026-11-20", [], moveTo(now, grant("2026-11-16")))).toEqual([]);
    });

    it("keeps its event, which holds until its row under the new docket is gone", async () => {
      await importRows("2026-11-18", company);
      const [event] = await importRows("2026-11-19", history(grant("2026-11-19")));
      expect(event).toMatchObject({ type: "new_authority_granted" });
      expect(await importRows("2026-11-21", [], moveTo(now, grant("2026-11-19")))).toEqual([]);
      expect(await importRows("2026-11-22", [])).toEqual([]);
      expect(await corrections()).toEqual([]);
      expect(await eventOf("new_authority_granted")).toMatchObject([{ id: event.id, docket: event.docket }]);
      const redated = { ...grant("2026-11-20"), docket: now };
      expect(await importRows("2026-11-23", [], replace("Granted", redated))).toEqual([]);
      expect(await eventOf("new_authority_granted")).toMatchObject([{ occurred_on: "2026-11-20" }]);
      await importRows("2026-11-24", [], (client) => deleteHistory(client, "Granted"));
      expect(await corrections()).toMatchObject([
        { event_id: event.id, kind: "changed" },
        { event_id: event.id, kind: "withdrawn" },
      ]);
    });

    it("makes no other event of a loss that was told before", async () => {
      await importRows("2026-11-18", [...company, ...history(grant("2026-11-01"))]);
      const lost = (client: pg.ClientBase) => changeRows(client, "motus_carrier", { status: "inactive" });
      expect(await importRows("2026-11-19", [], lost)).toHaveLength(1);
      await importRows("2026-11-20", [], moveTo(now, grant("2026-11-01")));
      const row = { docket: now, changed_on: "2026-11-20", reason: INSURANCE, status: "inactive" };
      expect(await importRows("2026-11-21", history(row))).toEqual([]);
    });

    it("makes the event of a first grant that appears late with it", async () => {
      await importRows("2026-11-09", company, setStatus("pending", before));
      await importRows("2026-11-10", []);
      expect(await importRows("2026-11-12", [], moveTo(now, grant("2026-11-10")))).toMatchObject([
        { type: "new_authority_granted", occurred_on: "2026-11-10", docket: now },
      ]);
    });
  });
});

// The suspension was found by its row, and the loss once more by the status, of an authority that seemed another one.
describe.each([
  ["without a docket", "DOT1001", null],
  ["with another prefix", "MX100001", "MX100001"],
])("an authority that Carrier has %s than AuthHist", (_name, docket, shown) => {
  const company: Rows = [
    ["census", { usdot: 1001 }],
    ["motus_carrier", { docket }],
  ];
  const row = (reason: string, status: string, changed_on: string) => history({ reason, status, changed_on });

  it("has one event of a suspension, with its day and reason", async () => {
    await importRows("2026-11-10", company);
    const lost = setStatus("inactive", docket);
    const events = await importRows("2026-11-12", row(INSURANCE, "inactive", "2026-11-12"), lost);
    expect(events).toMatchObject([
      { type: "insurance_cancellation_suspension", docket: shown, occurred_on: "2026-11-12" },
    ]);
    expect(statusesOf(events)).toEqual([["insurance_cancellation_suspension", "active", "inactive"]]);
  });

  it("has one event of a suspension whose row follows Carrier", async () => {
    await importRows("2026-11-10", company);
    expect(await importRows("2026-11-12", [], setStatus("inactive", docket))).toHaveLength(1);
    expect(await importRows("2026-11-13", row(INSURANCE, "inactive", "2026-11-12"))).toEqual([]);
  });

  it("keeps a loss that a row says is over", async () => {
    await importRows("2026-11-10", company);
    await importRows("2026-11-12", row("Revoked", "inactive", "2026-11-12"), setStatus("inactive", docket));
    expect(await eventOf("authority_inactive")).toMatchObject([
      { occurred_on: "2026-11-12", data: { reason: "Revoked" } },
    ]);
    const back = row("Reinstated", "active", "2026-11-14");
    expect(await importRows("2026-11-14", back, setStatus("active", docket))).toMatchObject([
      { type: "reinstated", docket: shown },
    ]);
    expect(await corrections()).toEqual([]);
  });
});
