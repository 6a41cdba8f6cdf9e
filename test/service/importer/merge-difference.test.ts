import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { stagedRows } from "../../../src/importer/stage/staged-set.ts";
import { updateRegistry } from "../../../src/registry/authorities/update-registry.ts";
import { DATASETS, type Dataset } from "../../../src/registry/datasets.ts";
import { type Changes, mergeDataset, openTouchedDockets } from "../../../src/registry/merge/merge.ts";
import { emptyTables } from "../../support/rows.ts";
import { datasetCsv } from "./stage/plain-rows.ts";
import { openStaging, type Staging, TODAY } from "./stage/staging.ts";

let staging: Staging;

beforeAll(async () => {
  staging = await openStaging();
});

afterEach(() => emptyTables(staging.context.db.pool, ...DATASETS));

afterAll(() => staging.close());

type Items = Record<string, string>[];

/** Merges a file with these rows. Returns the numbers of changed rows, and the recorded dockets and history rows. */
async function merge(dataset: Dataset, items: Items, isDifference = false) {
  const { removalKeys } = await staging.stage({ "a.csv": datasetCsv(dataset, items) }, { isDifference });
  return staging.context.db.bulkTransaction(async (client) => {
    await openTouchedDockets(client);
    const changes: Changes = await mergeDataset(client, stagedRows({ isDifference, removalKeys }, dataset));
    const touched = await client.query("SELECT docket FROM touched_docket ORDER BY docket");
    const insertedHistory = await client.query("SELECT row_id FROM new_authhist");
    return {
      ...changes,
      touched: touched.rows.map(({ docket }) => docket),
      insertedHistory: insertedHistory.rows.map(({ row_id }) => row_id),
    };
  });
}

const difference = (dataset: Dataset, items: Items) => merge(dataset, items, true);

/** A column of the stored rows, sorted. */
async function stored(dataset: Dataset, column: string): Promise<unknown[]> {
  const { rows } = await staging.context.db.pool.query(
    `SELECT ${column} AS value FROM ${dataset} ORDER BY ${column} NULLS LAST`,
  );
  return rows.map(({ value }) => value);
}

describe.each(["motus_authhist", "motus_revokesuspend", "motus_inshist"] as const)("%s:", (dataset) => {
  // Policies say nothing about the state of authorities.
  const touches = (...dockets: string[]): string[] => (dataset === "motus_inshist" ? [] : dockets);

  test("new rows of a difference are inserted, and none is deleted", async () => {
    await merge(dataset, [{}, {}]);
    const changes = await difference(dataset, [{}, { DOCKET_NUMBER: "MC9" }, { DOCKET_NUMBER: "MC9" }]);
    expect(changes).toMatchObject({ inserted: 2, updated: 0, deleted: 0, touched: touches("MC9") });
    expect(await stored(dataset, "docket")).toEqual(["MC1", "MC2", "MC9", "MC9"]);
    // Again: no further change.
    expect(await difference(dataset, [{}, { DOCKET_NUMBER: "MC9" }])).toMatchObject({
      inserted: 0,
      touched: [],
    });
  });

  test("a whole file deletes the rows that it does not have", async () => {
    await merge(dataset, [{}, {}]);
    expect(await merge(dataset, [{}])).toMatchObject({ inserted: 0, deleted: 1, touched: touches("MC2") });
    expect(await stored(dataset, "docket")).toEqual(["MC1"]);
  });

  test("a difference without rows changes nothing", async () => {
    await merge(dataset, [{}, {}]);
    expect(await difference(dataset, [])).toMatchObject({ inserted: 0, deleted: 0 });
    expect(await stored(dataset, "docket")).toEqual(["MC1", "MC2"]);
  });
});

test("inserted rows of AuthHist are recorded, for a whole file and for a difference", async () => {
  const ids = () => stored("motus_authhist", "row_id");
  expect((await merge("motus_authhist", [{}, {}])).insertedHistory.sort()).toEqual(await ids());
  const before = await ids();
  const { insertedHistory } = await difference("motus_authhist", [{}, { REASON: "Reinstated" }]);
  expect(insertedHistory).toEqual((await ids()).filter((id) => !before.includes(id)));
  expect((await merge("motus_authhist", [{}, {}])).insertedHistory).toEqual([]);
  expect((await merge("motus_revokesuspend", [{}])).insertedHistory).toEqual([]);
});

test("a notice without a docket is inserted and deleted like others, and touches no docket", async () => {
  const items = [{ DOCKET_NUMBER: "" }];
  expect(await difference("motus_revokesuspend", items)).toMatchObject({ inserted: 1, touched: [] });
  expect(await merge("motus_revokesuspend", [{}])).toMatchObject({
    inserted: 1,
    deleted: 1,
    touched: ["MC1"],
  });
});

test("a removal without a docket deletes its company's rows without one, and no other", async () => {
  const order = (docket: string, usdot: string) => ({ DOCKET_NUMBER: docket, USDOT_NUMBER: usdot });
  await merge("motus_revokesuspend", [
    order("", "21"),
    order("MC1", ""),
    order("MC2", "21"),
    order("", "22"),
    order("MC3", "23"),
  ]);
  const blank = { OP_AUTH_TYPE: "", ORDER1_SERVE_DATE: "", ORDER1_TYPE_DESC: "", ORDER1_EFFECTIVE_DATE: "" };
  const changes = await difference("motus_revokesuspend", [
    { ...order("", "21"), ...blank },
    { ...order("MC3", ""), ...blank },
  ]);
  expect(changes).toMatchObject({ inserted: 0, deleted: 2 });
  expect(await stored("motus_revokesuspend", "concat_ws(' ', docket, usdot)")).toEqual([
    "22",
    "MC1",
    "MC2 21",
  ]);
});

test("an authority of a difference replaces the stored row of that authority, and no other", async () => {
  const broker = { DOCKET_NUMBER: "MC1", USDOT_NUMBER: "1", OP_AUTH_TYPE: "Broker of Property" };
  await merge("motus_carrier", [{}, {}, broker, { DOCKET_NUMBER: "MC1" }]);
  const changes = await difference("motus_carrier", [
    { OP_AUTH_STATUS: "Inactive" },
    { DOCKET_NUMBER: "MC7", USDOT_NUMBER: "7" },
  ]);
  expect(changes).toMatchObject({ inserted: 2, deleted: 1, touched: ["MC1", "MC7"] });
  expect(await stored("motus_carrier", "concat_ws(' ', docket, usdot, authority_class, status)")).toEqual([
    "MC1 1 broker active",
    "MC1 1 carrier_property inactive",
    "MC1 4 carrier_property active",
    "MC2 2 carrier_property active",
    "MC7 7 carrier_property active",
  ]);
  // The same difference again changes nothing.
  expect(await difference("motus_carrier", [{ OP_AUTH_STATUS: "Inactive" }])).toMatchObject({
    inserted: 0,
    deleted: 0,
    touched: [],
  });
});

test("an authority of a difference replaces its row from before it had a docket, or with the other prefix", async () => {
  const of = (docket: string, usdot: string) => ({ DOCKET_NUMBER: docket, USDOT_NUMBER: usdot });
  await merge("motus_carrier", [of("", "1"), of("MC2", "2"), of("", "3"), of("MC4", "4"), of("MC5", "5")]);
  await difference("motus_carrier", [of("MC1", "1"), of("MX2", "2"), of("MX4", "6"), of("MC7", "5")]);
  expect(await stored("motus_carrier", "concat_ws(' ', docket, usdot)")).toEqual([
    "DOT3 3",
    "MC1 1",
    "MC4 4",
    "MC5 5",
    "MC7 5",
    "MX2 2",
    "MX4 6",
  ]);
});

describe("motus_insur:", () => {
  const removal = (docket: string) => ({
    DOCKET_NUMBER: docket,
    USDOT_NUMBER: "",
    INS_FORM_CODE: "",
    INS_TYPE_CODE: "",
    INS_CLASS_CODE: "",
    MAX_COV_AMOUNT: "00000",
    UNDERL_LIM_AMOUNT: "00000",
    POLICY_NO: "",
    EFFECTIVE_DATE: "",
    INSURANCE_COMPANY_NAME: "",
    TRANS_DATE: "",
  });
  const policy = (docket: string, policyNo: string) => ({
    DOCKET_NUMBER: docket,
    USDOT_NUMBER: "1",
    POLICY_NO: policyNo,
  });
  const policies = () => stored("motus_insur", "docket || ' ' || policy_key");

  test("without a removal, policies are added", async () => {
    await merge("motus_insur", [policy("MC1", "A"), policy("MC2", "B")]);
    expect(await difference("motus_insur", [policy("MC1", "C")])).toMatchObject({
      inserted: 1,
      deleted: 0,
      touched: [],
    });
    expect(await policies()).toEqual(["MC1 A", "MC1 C", "MC2 B"]);
  });

  test("a removal deletes its docket's policies; the file's other rows of that docket stay, in any order", async () => {
    await merge("motus_insur", [policy("MC1", "A"), policy("MC1", "B"), policy("MC2", "A")]);
    const rows = [
      policy("MC1", "C"),
      removal("MC-000001"),
      policy("MC1", "B"),
      removal("MC1"),
      removal("MC5"),
    ];
    expect(await difference("motus_insur", rows)).toMatchObject({
      inserted: 1,
      deleted: 1,
      touched: [],
    });
    expect(await policies()).toEqual(["MC1 B", "MC1 C", "MC2 A"]);
    expect(await difference("motus_insur", rows)).toMatchObject({ inserted: 0, deleted: 0, touched: [] });
  });

  // It is stored under the docket of its company.
  test("a removal without a docket deletes the company's policies without one", async () => {
    const filed = (row: Record<string, string>) => ({ ...row, USDOT_NUMBER: "21" });
    await merge("motus_carrier", [filed({ DOCKET_NUMBER: "MC1" })]);
    await merge("motus_insur", [filed(policy("", "A")), filed(policy("MC1", "B"))]);
    await staging.context.db.bulkTransaction(async (client) => {
      await openTouchedDockets(client);
      await client.query("INSERT INTO touched_docket VALUES ('MC1')");
      await updateRegistry(client, { asOf: TODAY, previousAsOf: null });
    });
    expect(await policies()).toEqual(["MC1 A", "MC1 B"]);
    expect(await difference("motus_insur", [filed(removal(""))])).toMatchObject({ inserted: 0, deleted: 1 });
    expect(await policies()).toEqual(["MC1 B"]);
  });

  test("a policy without a number is a policy", async () => {
    await merge("motus_insur", [policy("MC1", "A")]);
    expect(await difference("motus_insur", [policy("MC1", "")])).toMatchObject({ inserted: 1, deleted: 0 });
    expect(await policies()).toEqual(["MC1 ", "MC1 A"]);
  });

  test("the next whole file decides", async () => {
    await merge("motus_insur", [policy("MC1", "A"), policy("MC2", "B")]);
    await difference("motus_insur", [removal("MC1"), policy("MC3", "C")]);
    expect(await policies()).toEqual(["MC2 B", "MC3 C"]);
    await merge("motus_insur", [policy("MC1", "A"), policy("MC2", "B"), removal("MC2")]);
    expect(await policies()).toEqual(["MC1 A", "MC2 B"]);
  });
});

test("census and legacy files are whole or absent, in a folder of differences too", async () => {
  for (const dataset of ["census", "legacy_carrier", "legacy_insur", "legacy_revocation"] as const) {
    await merge(dataset, [{}, {}]);
    expect(await difference(dataset, [{}])).toMatchObject({ inserted: 0, deleted: 1 });
  }
});

test("parts of the portal's API are identified by their id: a difference or a whole file", async () => {
  const rows = [
    {
      docket_number: "MC1",
      usdot_number: "1",
      op_auth_type: "Broker",
      op_auth_status: "Active",
      reason: "Granted",
    },
  ];
  const parts = JSON.stringify({ "a_yu5v-wbh6": rows, "b_dm5j-zc6c": rows });
  const whole = await staging.stage({ "a.json": parts });
  expect(whole.files.map(({ file }) => file)).toEqual(["a.json (a_yu5v-wbh6)"]);
  expect(whole.skipped).toEqual([
    { file: "a.json (b_dm5j-zc6c)", why: "a daily difference, which is read with --difference" },
  ]);
  const partial = await staging.stage({ "a.json": parts }, { isDifference: true });
  expect(partial.files.map(({ file }) => file)).toEqual(["a.json (b_dm5j-zc6c)"]);
  expect(partial.skipped).toEqual([
    { file: "a.json (a_yu5v-wbh6)", why: "a whole file, which is not read with --difference" },
  ]);
});

test("an authority of a difference replaces the stored row whose type is a short form of its own, or the reverse", async () => {
  const types = async (...items: Items) => {
    await difference("motus_carrier", items);
    return stored("motus_carrier", "concat_ws(' ', op_auth_type, status)");
  };
  await merge("motus_carrier", [
    { OP_AUTH_TYPE: "Broker of Property (Except Household Goods)" },
    { DOCKET_NUMBER: "MC1", USDOT_NUMBER: "1", OP_AUTH_TYPE: "Broker of Household Goods" },
  ]);
  expect(await types({ OP_AUTH_TYPE: "BROKER OF PROPERTY", OP_AUTH_STATUS: "Inactive" })).toEqual([
    "BROKER OF PROPERTY inactive",
    "Broker of Household Goods active",
  ]);
  expect(await types({ OP_AUTH_TYPE: "Broker of Property (Except Household Goods)" })).toEqual([
    "Broker of Household Goods active",
    "Broker of Property (Except Household Goods) active",
  ]);
});
