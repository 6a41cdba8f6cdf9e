// Rows without a docket: which authority they are about, and how it follows its company from one docket to another.
import type pg from "pg";
import { describe, expect, it } from "vitest";
import { updateRegistry } from "../../../src/registry/authorities/update-registry.ts";
import { DATASETS } from "../../../src/registry/datasets.ts";
import { openTouchedDockets } from "../../../src/registry/merge/merge.ts";
import { putRegistryRow, type RegistryRow as Row } from "../../support/registry/registry-rows.ts";
import { changeRows, emptyTables, removeRows } from "../../support/rows.ts";
import { derived } from "./derived-authorities.ts";
import {
  broker,
  context,
  DOCKETLESS,
  LEGACY,
  OF_PROPERTY,
  type Rows,
  SUSPENDED,
  stateOf,
  useRegistry,
} from "./state-of-rows.ts";

useRegistry();

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
