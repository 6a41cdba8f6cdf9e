import { describe, expect, test } from "vitest";
import { datasetCsv } from "../stage/plain-rows.ts";
import { census, check, checkAlone, folder, noteStored, rows, staging, store, useChecks } from "./checked.ts";

useChecks();

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
    noteStored(last);
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
