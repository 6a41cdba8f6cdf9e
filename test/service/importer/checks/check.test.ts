import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkStaged } from "../../../../src/importer/checks/check.ts";
import { lostRowComplaints } from "../../../../src/importer/checks/check-lost-rows.ts";
import { DATASETS } from "../../../../src/registry/datasets.ts";
import { putManyOrders } from "../../../support/registry/many-rows.ts";
import { emptyTables } from "../../../support/rows.ts";
import { datasetCsv, wholeFolder } from "../stage/plain-rows.ts";
import { type Files, openStaging, type Staging, TODAY } from "../stage/staging.ts";

let staging: Staging;

beforeAll(async () => {
  staging = await openStaging();
});

/** The files of the last good import; `check` does not change the stored data, so the next test can use it. */
let stored: Files | undefined;
/** Everything but the staging tables after that import, which no check changes; null when it is not known. */
let published: string | null = null;

/** Makes these files the last good import, of a database without imports. */
async function store(files: Files | undefined): Promise<void> {
  if (stored === files) return;
  published = null;
  await emptyTables(staging.context.db.pool, "source", ...DATASETS);
  if (files) await staging.publish(await staging.stage(files));
  stored = files;
}

afterAll(() => staging.close());

interface Given {
  before?: Files;
  now: Files;
  accept?: string[];
  today?: string;
  isTodayGiven?: boolean;
  startsAnew?: boolean;
  isDifference?: boolean;
}

/** The refusal's name and sentence after importing `before` and checking `now`; null when nothing is refused. */
async function check(given: Given): Promise<{ checkName: string; message: string } | null> {
  const { before, now, accept = [], today = TODAY, isTodayGiven = false, startsAnew = false } = given;
  const { isDifference = false } = given;
  await store(before);
  const staged = await staging.stage(now, { isDifference });
  published ??= await staging.fingerprint();
  const options = { today, isTodayGiven, startsAnew, accept: new Set(accept) };
  const refusal = await checkStaged(staging.context, staged, options).then(
    () => null,
    (error: unknown) => error,
  );
  expect(await staging.fingerprint()).toBe(published);
  if (refusal === null) return null;
  expect(refusal).toMatchObject({ name: "OperatorError" });
  return refusal as { checkName: string; message: string };
}

/** As `check`, of one file: the others are not in the folder and never were, which is accepted. */
const checkAlone = ({ accept = [], ...given }: Given): ReturnType<typeof check> =>
  check({ ...given, accept: [...accept, "missing-source"] });

const rows = (count: number, fields: (index: number) => Record<string, string> = () => ({})) =>
  Array.from({ length: count }, (_, index) => fields(index));
const folder = wholeFolder(200);
const census = (count: number, fields?: (index: number) => Record<string, string>) => ({
  "census.csv": datasetCsv("census", rows(count, fields)),
});

test("the same files again are accepted, whatever they are", async () => {
  expect(await check({ before: folder, now: folder, isTodayGiven: true })).toBeNull();
});

test("a first import needs every file, and names the missing ones", async () => {
  const { "census.csv": _, "legacy_carrier.csv": __, ...others } = folder;
  const refusal = await check({ now: others });
  expect(refusal).toMatchObject({
    checkName: "missing-source",
    message:
      "Not in the folder and never imported: Company Census File, legacy Carrier; " +
      "if that is right, import with --accept missing-source.",
  });
  expect(await check({ now: others, accept: ["missing-source"] })).toBeNull();
});

test("files that only add to feeds may be missing, and be imported later", async () => {
  const basis = (
    ["census", "motus_carrier", "motus_authhist", "legacy_carrier", "legacy_authhist"] as const
  ).map((dataset) => [`${dataset}.csv`, folder[`${dataset}.csv`]]);
  const before = Object.fromEntries(basis);
  expect(await check({ now: before })).toBeNull();
  expect(await check({ before, now: folder })).toBeNull();
});

test("a later import may leave files out, unless it replaces the demo", async () => {
  const now = { "motus_authhist.csv": folder["motus_authhist.csv"] };
  expect(await check({ before: folder, now })).toBeNull();
  expect(await check({ before: folder, now, startsAnew: true })).toMatchObject({
    checkName: "missing-source",
  });
});

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
    stored = {};
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

describe("a daily difference:", () => {
  const difference = (date: string, count = 2) => ({
    "authhist.csv": datasetCsv(
      "motus_authhist",
      rows(count, () => ({ STATUS_CHANGE_DATE: date })),
    ),
    "insur.csv": datasetCsv(
      "motus_insur",
      rows(count, () => ({ TRANS_DATE: "20260901" })),
    ),
  });

  test("may be of any size", async () => {
    for (const count of [0, 2, 900]) {
      expect(
        await check({ before: folder, now: difference("20260930", count), isDifference: true }),
      ).toBeNull();
    }
  });

  test("of an earlier day than the stored rows is refused", async () => {
    const now = difference("20260929");
    expect(await check({ before: folder, now, isDifference: true })).toMatchObject({
      checkName: "older-than-before",
      message: expect.stringContaining(
        "The daily difference is older than what was imported: newest row 2026-09-29",
      ),
    });
    expect(
      await check({ before: folder, now, isDifference: true, accept: ["older-than-before"] }),
    ).toBeNull();
  });

  test("sets the day that the next whole file must reach", async () => {
    const before = {
      "a.csv": datasetCsv(
        "motus_authhist",
        rows(2, () => ({ STATUS_CHANGE_DATE: "20261001" })),
      ),
    };
    const last = { ...folder };
    await store(last);
    await staging.publish(await staging.stage(before, { isDifference: true }));
    published = null;
    expect(await check({ before: last, now: folder })).toMatchObject({ checkName: "older-than-before" });
  });

  test("needs its whole file before, whatever is accepted", async () => {
    const { "motus_insur.csv": _, ...before } = folder;
    const refusal = await check({
      before,
      now: difference("20260930"),
      isDifference: true,
      accept: ["missing-source"],
    });
    expect(refusal).toMatchObject({
      checkName: "missing-source",
      message: "Only a daily difference of Motus Insur, never imported whole; import the whole files first.",
    });
  });

  test("may come with a whole census, which is checked as a whole file", async () => {
    const now = (count: number) => ({
      ...difference("20260930"),
      "census.csv": datasetCsv("census", rows(count)),
    });
    expect(await check({ before: folder, now: now(200), isDifference: true })).toBeNull();
    expect(await check({ before: folder, now: now(179), isDifference: true })).toMatchObject({
      checkName: "shrinkage",
    });
  });
});

describe("rows by themselves:", () => {
  test("5% of repeated USDOT numbers are refused", async () => {
    const repeating = (count: number) =>
      census(200, (index) => (index > 0 && index <= count ? { DOT_NUMBER: "1" } : {}));
    expect(await checkAlone({ now: repeating(9) })).toBeNull();
    expect(await checkAlone({ now: repeating(10) })).toMatchObject({
      checkName: "duplicate-usdot",
      message: expect.stringContaining("census.csv repeats USDOT numbers in 5.0% of its rows"),
    });
    expect(await checkAlone({ now: repeating(10), accept: ["duplicate-usdot"] })).toBeNull();
  });

  test("more than 5% without a known status are refused, in the census and in Motus", async () => {
    const without = (count: number) => census(200, (index) => (index < count ? { STATUS_CODE: "" } : {}));
    expect(await checkAlone({ now: without(10) })).toBeNull();
    expect(await checkAlone({ now: without(60) })).toMatchObject({
      checkName: "status-missing",
      message: expect.stringContaining("census.csv has no status, or an unknown one, in 30.0% of its rows"),
    });
    expect(await checkAlone({ now: without(60), accept: ["status-missing"] })).toBeNull();
    const motus = datasetCsv(
      "motus_carrier",
      rows(200, (index) => (index < 11 ? { OP_AUTH_STATUS: index < 5 ? "" : "Paused" } : {})),
    );
    const unknown = "unknown-values:motus_carrier.OP_AUTH_STATUS";
    const now = { "motus_carrier.csv": motus };
    expect(await checkAlone({ now })).toMatchObject({
      checkName: unknown,
      message: expect.stringContaining('"Paused" 6 times, "" 5 times'),
    });
    expect(await checkAlone({ now, accept: [unknown] })).toMatchObject({ checkName: "status-missing" });
  });

  test("more than 5% that cannot be read are refused, and so is a file of which nothing is left", async () => {
    const unreadable = (count: number, of: number) =>
      census(of, (index) => (index < count ? { DOT_NUMBER: "?" } : {}));
    expect(await checkAlone({ now: unreadable(10, 200) })).toBeNull();
    expect(await checkAlone({ now: unreadable(11, 200) })).toMatchObject({
      checkName: "rejected-rows",
      message: expect.stringContaining("census.csv has rows that cannot be read: 11 no USDOT number of 200"),
    });
    expect(await checkAlone({ now: unreadable(2, 2) })).toMatchObject({ checkName: "rejected-rows" });
  });
});

test("accepting one check does not accept the others", async () => {
  const now = census(100, (index) => (index < 50 ? { PHONE: "" } : {}));
  const refused = { checkName: "fill-rate" };
  expect(await check({ before: folder, now, accept: ["shrinkage"] })).toMatchObject(refused);
  expect(
    await check({ before: folder, now, accept: ["shrinkage", "fill-rate", "lost-rows:census"] }),
  ).toBeNull();
});
