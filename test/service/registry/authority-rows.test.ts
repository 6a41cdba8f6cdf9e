// Rows that name an authority in another way than Carrier: without a docket, under another prefix, in another type or class.
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Context } from "../../../src/platform/context.ts";
import { updateRegistry } from "../../../src/registry/authorities/update-registry.ts";
import { DATASETS } from "../../../src/registry/datasets.ts";
import { openTouchedDockets } from "../../../src/registry/merge/merge.ts";
import { settableClock } from "../../support/clock.ts";
import { openTestContext } from "../../support/context.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { putRegistryRow, type RegistryRow as Row } from "../../support/registry/registry-rows.ts";
import { changeRows, emptyTables, removeRows } from "../../support/rows.ts";
import { authoritiesOf, derived } from "./derived-authorities.ts";

let database: TestDatabase;
let context: Context;

beforeAll(async () => {
  database = await createTestDatabase();
  context = await openTestContext(database.url, settableClock("2026-11-20T12:00:00Z"));
});

afterAll(async () => {
  await context.db.close();
  await database.drop();
});

type Rows = [table: string, row: Row][];

const stateOf = async (...rows: Rows) =>
  (await authoritiesOf(context, rows)).map(({ docket, usdot, status }) => [docket, usdot, status]);
const grantedOn = async (...rows: Rows) =>
  (await authoritiesOf(context, rows)).map(({ granted_on: day }) => day);
const pendingOf = async (...rows: Rows) =>
  (
    await derived<{ docket: string; usdot: number; authority_class: string }>(
      context,
      rows,
      "SELECT docket, usdot, authority_class FROM pending_revocation ORDER BY docket, usdot, authority_class",
    )
  ).map((row) => [row.docket, row.usdot, row.authority_class]);

const SUSPENDED = {
  changed_on: "2026-11-18",
  status: "inactive",
  reason: "Involuntary Suspension - insurance cancellation effective",
};
const LEGACY: Rows[number] = ["legacy_carrier", { common_stat: "A", property: true }];
const DOCKETLESS = "DOT1001";
const OF_PROPERTY = "Broker of Property (Except Household Goods)";
const OF_HOUSEHOLD = "Broker of Household Goods";
const broker = (type: string, row: Row = {}): Row => ({
  authority_class: "broker",
  op_auth_type: type,
  ...row,
});

describe("rows without a docket", () => {
  it("decide on their company's authority, whatever docket the legacy registry had for it", async () => {
    const lost = [[DOCKETLESS, 1001, "inactive"]];
    expect(await stateOf(LEGACY, ["motus_carrier", { docket: DOCKETLESS, status: "inactive" }])).toEqual(
      lost,
    );
    expect(await stateOf(LEGACY, ["motus_authhist", { ...SUSPENDED, docket: DOCKETLESS }])).toEqual(lost);
    expect(await stateOf(LEGACY, ["motus_carrier", { docket: "DOT2002", usdot: 2002 }])).toEqual([
      ["DOT2002", 2002, "active"],
      ["MC100001", 1001, "active"],
    ]);
    expect(
      await stateOf(LEGACY, [
        "motus_carrier",
        broker(OF_PROPERTY, { docket: DOCKETLESS, status: "inactive" }),
      ]),
    ).toEqual([
      [DOCKETLESS, 1001, "inactive"],
      ["MC100001", 1001, "active"],
    ]);
  });

  it("of Carrier heed what AuthHist says under a docket that Carrier lacks", async () => {
    const rows: Rows = [
      ["motus_carrier", { docket: DOCKETLESS }],
      ["motus_authhist", SUSPENDED],
    ];
    expect(await stateOf(...rows)).toEqual([[DOCKETLESS, 1001, "inactive"]]);
    expect(await stateOf(...rows, ["motus_carrier", { status: "inactive" }])).toEqual([
      [DOCKETLESS, 1001, "active"],
      ["MC100001", 1001, "inactive"],
    ]);
  });

  it("of AuthHist are about its only docket of the class", async () => {
    const granted: Rows[number] = ["motus_authhist", { changed_on: "2026-06-01" }];
    const suspended: Rows[number] = ["motus_authhist", { ...SUSPENDED, docket: DOCKETLESS }];
    expect(await stateOf(granted, suspended)).toEqual([["MC100001", 1001, "inactive"]]);
    const second: Rows[number] = ["motus_authhist", { changed_on: "2026-06-01", docket: "MC100002" }];
    expect(await stateOf(granted, second, suspended)).toEqual([
      [DOCKETLESS, 1001, "inactive"],
      ["MC100001", 1001, "active"],
      ["MC100002", 1001, "active"],
    ]);
  });

  it("of policies are under the only docket of their company", async () => {
    const policies: Rows = [
      ["motus_insur", { docket: DOCKETLESS, usdot: 1001 }],
      ["motus_inshist", { docket: DOCKETLESS, usdot: 1001 }],
    ];
    const docketsOf = (...rows: Rows) =>
      derived(
        context,
        [...policies, ...rows],
        `SELECT docket FROM motus_insur UNION ALL SELECT docket FROM motus_inshist
         UNION ALL SELECT docket FROM cancellation_notice`,
      );
    const three = (docket: string) => Array(3).fill({ docket });
    expect(await docketsOf(["motus_carrier", {}])).toEqual(three("MC100001"));
    expect(await docketsOf(LEGACY)).toEqual(three("MC100001"));
    expect(await docketsOf(LEGACY, ["motus_carrier", { docket: "FF7" }])).toEqual(three(DOCKETLESS));
  });
});

it("a row without a docket that comes or goes changes the authority that its company had under a docket", async () => {
  const update = (change: (client: pg.PoolClient) => Promise<void>) =>
    context.db.bulkTransaction(async (client) => {
      await openTouchedDockets(client);
      await change(client);
      await updateRegistry(client, { asOf: "2026-11-20", previousAsOf: null });
      const { rows } = await client.query("SELECT docket, status FROM authority ORDER BY docket");
      return rows.map(({ docket, status }) => `${docket} ${status}`);
    });
  const put = (table: string, row: Row, docket: string) => async (client: pg.PoolClient) => {
    await putRegistryRow(client, table, row);
    await client.query("INSERT INTO touched_docket VALUES ($1)", [docket]);
  };
  expect(await update(put("legacy_carrier", LEGACY[1], "MC100001"))).toEqual(["MC100001 active"]);
  expect(await update(put("motus_carrier", { docket: DOCKETLESS }, DOCKETLESS))).toEqual([
    `${DOCKETLESS} active`,
  ]);
  // An order names the docket that the legacy registry had: it is about no second authority.
  const order = { docket: "MC100001", usdot: 1001 };
  expect(await update(put("motus_revokesuspend", order, "MC100001"))).toEqual([`${DOCKETLESS} active`]);
  expect(await update(put("motus_authhist", SUSPENDED, "MC100001"))).toEqual([`${DOCKETLESS} inactive`]);
  // What it hid is there again, though no file has another row of it.
  const removed = async (client: pg.PoolClient) => {
    await removeRows(client, "motus_carrier", { docket: DOCKETLESS });
    await client.query("INSERT INTO touched_docket VALUES ($1)", [DOCKETLESS]);
  };
  expect(await update(removed)).toEqual([`${DOCKETLESS} missing`, "MC100001 inactive"]);
  await emptyTables(context.db.pool, ...DATASETS, "authority", "pending_revocation", "seen_order");
});

it("policies without a docket are under the docket that their company's authority got, with the day of their notice", async () => {
  const update = (previousAsOf: string, asOf: string, change: (client: pg.PoolClient) => Promise<void>) =>
    context.db.bulkTransaction(async (client) => {
      await openTouchedDockets(client);
      await change(client);
      await updateRegistry(client, { asOf, previousAsOf, hadEndedPolicies: true });
    });
  await update("2026-11-18", "2026-11-19", async (client) => {
    await putRegistryRow(client, "motus_carrier", { docket: DOCKETLESS });
    await putRegistryRow(client, "motus_inshist", { docket: DOCKETLESS, usdot: 1001 });
    await client.query("INSERT INTO touched_docket VALUES ($1)", [DOCKETLESS]);
  });
  await update("2026-11-19", "2026-11-20", async (client) => {
    await changeRows(client, "motus_carrier", { docket: "MC9" }, { docket: DOCKETLESS });
    await client.query("INSERT INTO touched_docket VALUES ($1), ('MC9')", [DOCKETLESS]);
  });
  const { rows } = await context.db.pool.query(
    `SELECT docket, noticed_after::text FROM motus_inshist LEFT JOIN cancellation_notice USING (docket)`,
  );
  expect(rows).toEqual([{ docket: "MC9", noticed_after: "2026-11-18" }]);
  await emptyTables(context.db.pool, "motus_carrier", "motus_inshist", "authority", "cancellation_notice");
});

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

describe("the date of grant of common and contract authority", () => {
  const COMMON = { op_auth_type: "COMMON", authority_class: "carrier", action_on: "1990-01-15" };
  const CONTRACT = { op_auth_type: "MOTOR PROPERTY CONTRACT CARRIER" };
  const ended: Rows = [
    [
      "legacy_authhist",
      { ...CONTRACT, action_on: "1992-01-01", final_action: "REVOKED", final_on: "2005-01-01" },
    ],
    ["legacy_authhist", { ...CONTRACT, action_on: "2010-09-09" }],
  ];

  it("is that of the one that did not end", async () => {
    expect(await grantedOn(["motus_carrier", {}], ["legacy_authhist", COMMON], ...ended)).toEqual([
      "1990-01-15",
    ]);
    expect(await grantedOn(["motus_carrier", {}], ...ended)).toEqual(["2010-09-09"]);
  });

  it("starts again after an end of both, of which the newest counts", async () => {
    const lost: Rows[number] = ["motus_authhist", { ...SUSPENDED, changed_on: "2012-01-01" }];
    const rows: Rows = [["motus_carrier", {}], ["legacy_authhist", COMMON], ...ended, lost];
    expect(await grantedOn(...rows)).toEqual(["2010-09-09"]);
    expect(await grantedOn(...rows, ["motus_authhist", { changed_on: "2020-01-01" }])).toEqual([
      "2020-01-01",
    ]);
  });
});

// A row without a docket stayed under the one that its company had at that import.
it("rows without a docket follow their company to another docket, and back to none", async () => {
  const filed = { docket: DOCKETLESS, usdot: 1001 };
  const update = (change: (client: pg.PoolClient) => Promise<unknown>) =>
    context.db.bulkTransaction(async (client) => {
      await openTouchedDockets(client);
      await change(client);
      await client.query("INSERT INTO touched_docket SELECT docket FROM motus_carrier");
      await updateRegistry(client, { asOf: "2026-11-20", previousAsOf: null, changed: new Set(DATASETS) });
      const { rows } = await client.query(
        `SELECT (SELECT array_agg(docket || ' ' || status) FROM authority WHERE status <> 'missing') AS states,
           (SELECT array_agg(docket) FROM motus_insur) AS policies,
           (SELECT array_agg(docket) FROM motus_inshist) AS ends`,
      );
      return rows[0];
    });
  const under = (docket: string) => ({ states: [`${docket} inactive`], policies: [docket], ends: [docket] });
  await context.db.bulkTransaction((client) => emptyTables(client, ...DATASETS, "authority"));
  const first = await update(async (client) => {
    await putRegistryRow(client, "motus_carrier", {});
    await putRegistryRow(client, "motus_authhist", { ...SUSPENDED, docket: DOCKETLESS });
    await putRegistryRow(client, "motus_insur", filed);
    await putRegistryRow(client, "motus_inshist", filed);
  });
  expect(first).toEqual(under("MC100001"));
  for (const docket of ["MC100002", DOCKETLESS, "MC100003"]) {
    const moved = await update((client) => changeRows(client, "motus_carrier", { docket }));
    expect(moved).toEqual(under(docket));
  }
});
