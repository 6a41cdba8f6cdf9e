import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { STAGED_COLUMNS } from "../../../src/importer/layouts/layouts.ts";
import { DATASETS, type Dataset } from "../../../src/registry/datasets.ts";
import { type Changes, mergeDataset, openTouchedDockets } from "../../../src/registry/merge.ts";
import { datasetCsv } from "./plain-rows.ts";
import { openStaging, type Staging } from "./staging.ts";

let staging: Staging;

beforeAll(async () => {
  staging = await openStaging();
});

afterEach(() => staging.context.db.pool.query(`TRUNCATE ${DATASETS.join(", ")}`));

afterAll(() => staging.close());

type Items = Record<string, string>[];

/** What merging a file with these rows did: rows that came and went, and what it noted. */
async function merge(dataset: Dataset, items: Items, isDifference = false) {
  const { removals } = await staging.stage({ "a.csv": datasetCsv(dataset, items) }, { isDifference });
  return staging.context.db.bulkTransaction(async (client) => {
    await openTouchedDockets(client);
    const changes: Changes = await mergeDataset(client, dataset, STAGED_COLUMNS[dataset], {
      isDifference,
      removals,
    });
    const touched = await client.query("SELECT docket FROM touched_docket ORDER BY docket");
    const news = await client.query("SELECT row_id FROM new_authhist");
    return {
      ...changes,
      touched: touched.rows.map(({ docket }) => docket),
      news: news.rows.map(({ row_id }) => row_id),
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
  test("rows of a difference are added when they are not there, and none goes", async () => {
    await merge(dataset, [{}, {}]);
    const changes = await difference(dataset, [{}, { DOCKET_NUMBER: "MC9" }, { DOCKET_NUMBER: "MC9" }]);
    expect(changes).toMatchObject({ inserted: 2, updated: 0, deleted: 0, touched: ["MC9"] });
    expect(await stored(dataset, "docket")).toEqual(["MC1", "MC2", "MC9", "MC9"]);
    // Again: nothing more.
    expect(await difference(dataset, [{}, { DOCKET_NUMBER: "MC9" }])).toMatchObject({
      inserted: 0,
      touched: [],
    });
  });

  test("a whole file judges: what is not in it goes", async () => {
    await merge(dataset, [{}, {}]);
    expect(await merge(dataset, [{}])).toMatchObject({ inserted: 0, deleted: 1, touched: ["MC2"] });
    expect(await stored(dataset, "docket")).toEqual(["MC1"]);
  });

  test("a difference without rows changes nothing", async () => {
    await merge(dataset, [{}, {}]);
    expect(await difference(dataset, [])).toMatchObject({ inserted: 0, deleted: 0 });
    expect(await stored(dataset, "docket")).toEqual(["MC1", "MC2"]);
  });
});

test("the new rows of AuthHist are noted, of a whole file and of a difference", async () => {
  const ids = () => stored("motus_authhist", "row_id");
  expect((await merge("motus_authhist", [{}, {}])).news.sort()).toEqual(await ids());
  const before = await ids();
  const { news } = await difference("motus_authhist", [{}, { REASON: "Reinstated" }]);
  expect(news).toEqual((await ids()).filter((id) => !before.includes(id)));
  expect((await merge("motus_authhist", [{}, {}])).news).toEqual([]);
  expect((await merge("motus_revokesuspend", [{}])).news).toEqual([]);
});

test("a notice without a docket comes and goes as any other, and touches none", async () => {
  const items = [{ DOCKET_NUMBER: "" }];
  expect(await difference("motus_revokesuspend", items)).toMatchObject({ inserted: 1, touched: [] });
  expect(await merge("motus_revokesuspend", [{}])).toMatchObject({
    inserted: 1,
    deleted: 1,
    touched: ["MC1"],
  });
});

test("an authority of a difference takes the place of what is stored of it, and of nothing else", async () => {
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
  // The same difference again finds it so.
  expect(await difference("motus_carrier", [{ OP_AUTH_STATUS: "Inactive" }])).toMatchObject({
    inserted: 0,
    deleted: 0,
    touched: [],
  });
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

  test("without a removal policies are added", async () => {
    await merge("motus_insur", [policy("MC1", "A"), policy("MC2", "B")]);
    expect(await difference("motus_insur", [policy("MC1", "C")])).toMatchObject({
      inserted: 1,
      deleted: 0,
      touched: ["MC1"],
    });
    expect(await policies()).toEqual(["MC1 A", "MC1 C", "MC2 B"]);
  });

  test("a removal forgets its docket's policies; the file's other rows of it stand, wherever they are", async () => {
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
      touched: ["MC1"],
    });
    expect(await policies()).toEqual(["MC1 B", "MC1 C", "MC2 A"]);
    expect(await difference("motus_insur", rows)).toMatchObject({ inserted: 0, deleted: 0, touched: [] });
  });

  test("a policy without a number is a policy", async () => {
    await merge("motus_insur", [policy("MC1", "A")]);
    expect(await difference("motus_insur", [policy("MC1", "")])).toMatchObject({ inserted: 1, deleted: 0 });
    expect(await policies()).toEqual(["MC1 ", "MC1 A"]);
  });

  test("the next whole file is the judge", async () => {
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

test("parts of the portal's API are told by their id: a difference from a whole file", async () => {
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
