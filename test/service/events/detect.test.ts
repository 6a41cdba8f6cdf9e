import type pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  detectEvents,
  forgetEvents,
  withdrawDetected,
  writeEvents,
} from "../../../src/events/detect/detect.ts";
import { EVENT_TYPES } from "../../../src/events/event-types.ts";
import type { Context } from "../../../src/platform/context.ts";
import { updateRegistry } from "../../../src/registry/authorities/update-registry.ts";
import { openTouchedDockets } from "../../../src/registry/merge/merge.ts";
import { settableClock } from "../../support/clock.ts";
import { openTestContext } from "../../support/context.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { emptierOf } from "../../support/emptied-database.ts";
import {
  deleteHistory,
  knownHistory,
  type RegistryRows as Rows,
  touchEveryDocket,
} from "../../support/registry/derived-registry.ts";
import { putRegistryRow, type RegistryRow as Row } from "../../support/registry/registry-rows.ts";
import { changeRows, removeRows } from "../../support/rows.ts";

let database: TestDatabase;
let context: Context;
let lastAsOf: string | null;
let empty: () => Promise<void>;

beforeAll(async () => {
  database = await createTestDatabase();
  context = await openTestContext(database.url, settableClock("2026-11-20T12:00:00Z"));
  empty = await emptierOf(context.db);
});

beforeEach(() => {
  lastAsOf = null;
});

afterEach(() => empty());

afterAll(async () => {
  await context.db.close();
  await database.drop();
});

/** Runs an import with these new rows, from the merge on; returns the events that it wrote. */
async function importRows(
  asOf: string,
  rows: Rows,
  change: (client: pg.ClientBase) => Promise<unknown> = async () => {},
) {
  context.clock.now = () => new Date(`${asOf}T15:00:00Z`);
  return context.db.bulkTransaction(async (client) => {
    const { rows: last } = await client.query<{ id: number }>("SELECT coalesce(max(id), 0) AS id FROM event");
    await openTouchedDockets(client);
    const noteNewHistory = await knownHistory(client);
    for (const [table, row] of rows) await putRegistryRow(client, table, row);
    await change(client);
    await noteNewHistory();
    await touchEveryDocket(client);
    await updateRegistry(client, { asOf, previousAsOf: lastAsOf });
    const isKnown = lastAsOf !== null;
    await detectEvents(client, {
      asOf,
      now: context.clock.now(),
      states: ["TX", "OH"],
      previous: { asOf: lastAsOf, history: isKnown, notices: isKnown, statuses: isKnown, companies: isKnown },
    });
    await writeEvents(client, { asOf, now: context.clock.now() });
    lastAsOf = asOf;
    const { rows: events } = await client.query("SELECT * FROM event WHERE id > $1 ORDER BY id", [
      last[0]?.id,
    ]);
    return events;
  });
}

const setStatus =
  (status: string, docket = "MC100001") =>
  (client: pg.ClientBase) =>
    changeRows(client, "motus_carrier", { status }, { docket });

const eventOf = async (type: string) =>
  (await context.db.pool.query("SELECT * FROM event WHERE type = $1", [type])).rows;
const corrections = async () =>
  (await context.db.pool.query("SELECT event_id, kind, is_rollback FROM event_correction ORDER BY id")).rows;

const statusesOf = (events: Awaited<ReturnType<typeof importRows>>) =>
  events.map(({ type, data }) => [type, data.status_before, data.status_after]);

const COMPANY: Rows = [
  ["census", { usdot: 1001 }],
  ["motus_carrier", {}],
];
const history = (row: Row): Rows => [["motus_authhist", row]];
const INSURANCE = "Involuntary Suspension - insurance cancellation effective; no active insurance on file";

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

// A row is not the event itself: the registry rewords, redates and repeats rows.
describe("a change that is recorded in another way", () => {
  const replace = (reason: string, row: Row) => async (client: pg.ClientBase) => {
    await deleteHistory(client, reason);
    await putRegistryRow(client, "motus_authhist", row);
  };
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

  /** The company's authority and its history are under another docket from this import on. */
  const moveTo = (docket: string, row: Row) => async (client: pg.ClientBase) => {
    await replace("Granted", { ...row, docket })(client);
    // A merge notes the dockets of the rows that it deletes, too.
    await client.query("INSERT INTO touched_docket SELECT docket FROM motus_carrier");
    await changeRows(client, "motus_carrier", { docket });
  };

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
