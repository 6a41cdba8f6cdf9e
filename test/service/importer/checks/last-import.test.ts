import { describe, expect, test } from "vitest";
import { lostRowComplaints } from "../../../../src/importer/checks/check-lost-rows.ts";
import { putManyOrders } from "../../../support/registry/many-rows.ts";
import { emptyTables } from "../../../support/rows.ts";
import { datasetCsv, wholeFolder } from "../stage/plain-rows.ts";
import { census, check, checkAlone, folder, noteStored, rows, staging, store, useChecks } from "./checked.ts";

useChecks();

describe("rows against the last good import:", () => {
  test("10% fewer are accepted, more than that are not", async () => {
    expect(await check({ before: folder, now: census(180) })).toBeNull();
    const refusal = await check({ before: folder, now: census(179) });
    expect(refusal?.message).toBe(
      "Company Census File shrank by more than 10%: 179 rows after 200; " +
        "if that is right, import with --accept shrinkage.",
    );
    expect(await check({ before: folder, now: census(179), accept: ["shrinkage"] })).toBeNull();
  });

  test.each(["motus_insur", "motus_inshist"] as const)(
    "half of %s may disappear, not more",
    async (dataset) => {
      const left = (count: number) => ({ [`${dataset}.csv`]: datasetCsv(dataset, rows(count)) });
      expect(await check({ before: folder, now: left(100) })).toBeNull();
      expect(await check({ before: folder, now: left(99) })).toMatchObject({
        checkName: "shrinkage",
        message: expect.stringMatching(/^Motus Ins\w+ shrank by more than 50%: 99 rows after 200;/),
      });
    },
  );

  test.each([
    "motus_revokesuspend",
    "legacy_revocation",
    "legacy_insur",
    "legacy_actpendinsur",
    "legacy_inshist",
  ] as const)("a tenth of %s may disappear, not more", async (dataset) => {
    const left = (count: number) => ({ [`${dataset}.csv`]: datasetCsv(dataset, rows(count)) });
    // Each class's lost orders are checked separately.
    const accept = ["lost-rows:motus_revokesuspend", `frozen-changed:${dataset}`];
    expect(await check({ before: folder, now: left(180), accept })).toBeNull();
    expect(await check({ before: folder, now: left(179), accept })).toMatchObject({ checkName: "shrinkage" });
  });

  test("a few rows of a class may disappear, not a twentieth of them, nor all", async () => {
    const brokers = (count: number, missing: number) => ({
      "motus_carrier.csv": datasetCsv(
        "motus_carrier",
        rows(500, (index) => ({
          DOCKET_NUMBER: `MC${index + 1}`,
          USDOT_NUMBER: String(index + 1),
          ...(index < count ? { OP_AUTH_TYPE: "Broker" } : {}),
        })).slice(missing),
      ),
    });
    const before = brokers(40, 0);
    expect(await checkAlone({ before, now: brokers(40, 4) })).toBeNull();
    expect(await checkAlone({ before, now: brokers(40, 5) })).toMatchObject({
      checkName: "lost-rows:motus_carrier",
      message: expect.stringContaining("Motus Carrier no longer has 5 of the 40 rows of broker"),
    });
    const loses = (count: number) => checkAlone({ before: brokers(count, 0), now: brokers(count, count) });
    expect(await loses(2)).toBeNull();
    expect(await loses(3)).toMatchObject({ checkName: "lost-rows:motus_carrier" });
  });

  test("are compared in a time that grows with them, not with their square; a missing day is equal to a missing day", async () => {
    await store(undefined);
    const { pool } = staging.context.db;
    await emptyTables(pool, "staging.motus_revokesuspend");
    await putManyOrders(pool, "motus_revokesuspend", 60_000);
    await putManyOrders(pool, "staging.motus_revokesuspend", 50_000);
    noteStored({});
    const complaints = await lostRowComplaints(pool, "motus_revokesuspend");
    expect(complaints).toMatchObject([
      ["lost-rows:motus_revokesuspend", expect.stringContaining("10000 of the 60000 rows of broker")],
    ]);
  });

  test("half as many again are accepted, more than that are not", async () => {
    const before = census(800);
    expect(await checkAlone({ before, now: census(1200) })).toBeNull();
    expect(await checkAlone({ before, now: census(1201) })).toMatchObject({ checkName: "growth" });
    expect(await checkAlone({ before, now: census(1201), accept: ["growth"] })).toBeNull();
  });

  test("a small file may grow as it likes", async () => {
    expect(await checkAlone({ before: census(10), now: census(1000) })).toBeNull();
  });

  test("a state with more than 500 rows may lose a quarter of them, not more", async () => {
    const from = (count: number) => census(6000, (index) => ({ PHY_STATE: index < count ? "OH" : "TX" }));
    const before = from(600);
    expect(await checkAlone({ before, now: from(450) })).toBeNull();
    expect(await checkAlone({ before, now: from(449) })).toMatchObject({
      checkName: "state-shrinkage",
      message: expect.stringContaining("lost more than 25% of the rows of OH: 449 after 600"),
    });
    expect(await checkAlone({ before, now: from(0), accept: ["state-shrinkage"] })).toBeNull();
    expect(await checkAlone({ before: from(500), now: from(300) })).toBeNull();
  });

  test.each([
    ["PHONE", ""],
    ["POWER_UNITS", ""],
    ["CRGO_GENFREIGHT", ""],
    ["PHY_STATE", "??"],
  ])("column %s may lose five points of its fill rate, not more", async (column, value) => {
    const emptied = (count: number) => census(200, (index) => (index < count ? { [column]: value } : {}));
    expect(await check({ before: folder, now: emptied(10) })).toBeNull();
    const refusal = await check({ before: folder, now: emptied(11) });
    expect(refusal).toMatchObject({ checkName: "fill-rate", message: expect.stringContaining("94.5%") });
    expect(refusal).toMatchObject({ message: expect.stringContaining(`of rows in column ${column}, after`) });
  });

  // The name accepts them all, also in another file: who read only of the first one let the other through unseen.
  test("all complaints of one name are explained, also about another file", async () => {
    const now = {
      ...census(200, (index) => (index < 40 ? { PHONE: "" } : {})),
      "motus_carrier.csv": datasetCsv(
        "motus_carrier",
        rows(200, (index) => (index < 50 ? { BUS_TELNO: "" } : {})),
      ),
    };
    expect(await check({ before: folder, now, accept: ["lost-rows:motus_carrier"] })).toMatchObject({
      message:
        "Company Census File is filled in 80.0% of rows in column PHONE, after 100.0%; " +
        "Motus Carrier is filled in 75.0% of rows in column BUS_TELNO, after 100.0%; " +
        "if that is right, import with --accept fill-rate.",
    });
  });

  test("a demo that is replaced is not compared", async () => {
    expect(await check({ before: folder, now: wholeFolder(5), startsAnew: true })).toBeNull();
  });
});

describe.each([
  ["motus_authhist", "Motus AuthHist", "STATUS_CHANGE_DATE"],
  ["motus_revokesuspend", "Motus RevokeSuspend", "ORDER1_SERVE_DATE"],
  ["motus_insur", "Motus Insur", "TRANS_DATE"],
] as const)("the age of the live file %s:", (dataset, title, column) => {
  const dated = (date: string, count = 200) => ({
    [`${dataset}.csv`]: datasetCsv(
      dataset,
      rows(count, () => ({ [column]: date })),
    ),
  });

  test("yesterday's file is refused after today's", async () => {
    const before = dated("20260930");
    expect(await checkAlone({ before, now: dated("20260929") })).toMatchObject({
      checkName: "older-than-before",
      message: expect.stringContaining(
        `${title} is older than what was imported: newest row 2026-09-29, before 2026-09-30`,
      ),
    });
    expect(
      await checkAlone({
        before,
        now: dated("20260929"),
        accept: ["older-than-before", `lost-rows:${dataset}`],
      }),
    ).toBeNull();
  });

  test("a file without a row of the last week is refused, when the operator named the day", async () => {
    expect(await checkAlone({ now: dated("20260924"), isTodayGiven: true })).toBeNull();
    expect(await checkAlone({ now: dated("20260923"), isTodayGiven: true })).toMatchObject({
      checkName: "recent-rows",
      message: expect.stringContaining(
        `${title} has no row of the week before 2026-10-01: newest row 2026-09-23`,
      ),
    });
    expect(await checkAlone({ now: dated("20260923") })).toBeNull();
    expect(await checkAlone({ now: dated("20261015"), isTodayGiven: true })).toMatchObject({
      checkName: "recent-rows",
    });
    // A file as small as this may have a week without a row.
    expect(await checkAlone({ now: dated("20260923", 99), isTodayGiven: true })).toBeNull();
  });
});
