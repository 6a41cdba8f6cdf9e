import { describe, expect, test } from "vitest";
import { difference, type Items, merge, staging, stored, useStaging } from "./merged-files.ts";

useStaging();

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
