// Silent changes by the registry: each is refused with one sentence, and changes nothing.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tryLockPublishing, unlockPublishing } from "../../../src/feeds/publish/publish-lock.ts";
import { importFolder } from "../../../src/importer/import.ts";
import { type ImportReport, newestOf, newestRuns, openRun } from "../../../src/importer/runs.ts";
import type { Context } from "../../../src/platform/context.ts";
import { type SettableClock, settableClock } from "../../support/clock.ts";
import { openTestContext } from "../../support/context.ts";
import { dump } from "../../support/database/dump.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { type RegistryFolders, registryFolders } from "../../support/registry/registry-folders.ts";

const FIRST_DAY = "2026-11-16";
const DAYS = 4;

let folders: RegistryFolders;
let database: TestDatabase;
let context: Context;
let clock: SettableClock;
/** What an import of day 3 as it is would do. */
let truth: ImportReport;
/** The database after day 2, which no refusal and no preview changes. */
let before: Awaited<ReturnType<typeof dumpWithoutRuns>>;

async function dumpWithoutRuns() {
  const held = await dump(context.db);
  delete held["public.import_run"];
  delete held["public.import_run_id_seq"];
  return held;
}

const accepting = (...names: string[]) => new Set(names);
const importDir = (
  dir: string,
  accept = accepting(),
  more: { isPreview?: boolean } = {},
): Promise<ImportReport> => importFolder(context, { dir, asOf: null, accept, ...more });

beforeAll(async () => {
  folders = await registryFolders({ carriers: 1_200, seed: 3, firstDay: FIRST_DAY, days: DAYS });
  database = await createTestDatabase();
  clock = settableClock("2026-11-19T18:00:00Z");
  context = await openTestContext(database.url, clock);
  for (const day of [0, 1, 2]) await importDir(folders.day(day));
  before = await dumpWithoutRuns();
  truth = await importDir(folders.day(3), accepting(), { isPreview: true });
  expect(await dumpWithoutRuns()).toEqual(before);
});

afterAll(async () => {
  await context.db.close();
  await database.drop();
  await folders.close();
});

/** Imports the changed day 3 and expects this check and a sentence with these parts; only the run is recorded. */
async function expectRefused(
  name: string,
  change: (text: string) => string | null,
  check: string,
  ...parts: string[]
): Promise<void> {
  const dir = await folders.changed(3, name, change);
  const error = await importDir(dir).then(
    () => new Error("it was imported"),
    (refusal: Error & { checkName?: string }) => refusal,
  );
  expect(error.message).toContain(`--accept ${check}`);
  for (const part of parts) expect(error.message).toContain(part);
  expect(error.message).not.toContain("\n");
  expect(await dumpWithoutRuns()).toEqual(before);
}

describe("unknown values are refused by file, column and value", () => {
  it.each<[string, string, RegExp, string, string]>([
    [
      "a reworded order",
      "motus_revokesuspend.csv",
      /Involuntary/g,
      "Involuntar",
      "motus_revokesuspend.ORDER1_TYPE_DESC",
    ],
    ["a reworded grant", "motus_authhist.csv", /,Granted,/g, ",Authority issued,", "motus_authhist.REASON"],
    ["a reworded status", "motus_carrier.csv", /,Active,/g, ",In force,", "motus_carrier.OP_AUTH_STATUS"],
    [
      "a reworded class",
      "motus_carrier.csv",
      /Motor Carrier of Property/g,
      "Hauler of Property",
      "motus_carrier.OP_AUTH_TYPE",
    ],
    ["a reworded ending", "motus_inshist.csv", /,CANCEL,/g, ",ENDED,", "motus_inshist.FILING_STATUS_REASON"],
  ])("%s", async (_what, file, found, put, column) => {
    const value = put.replaceAll(",", "");
    await expectRefused(
      file,
      (text) => text.replace(found, put),
      `unknown-values:${column}`,
      file,
      column.split(".")[1] ?? "",
      value,
    );
  });
});

it("refuses four columns of a file by one name, and goes on to accept each by its own", async () => {
  const reworded = (text: string) => text.replace(/,Y,/g, ",Yes,");
  const columns = ["CARGO_REQ", "BOND_REQ", "CARGO_FILE", "BOND_FILE"];
  await expectRefused("motus_carrier.csv", reworded, "columns-blank:motus_carrier", '"Yes"', ...columns);
  const dir = await folders.changed(3, "motus_carrier.csv", reworded);
  const names = columns.map((column) => `unknown-values:motus_carrier.${column}`);
  const refusal = await importDir(dir, accepting(...names), { isPreview: true }).then(String, String);
  expect(refusal).not.toMatch(/unknown-values|columns-blank/);
});

it("refuses another date format, with its own check", async () => {
  await expectRefused(
    "motus_authhist.csv",
    (text) => text.replace(/,(\d{4})(\d{2})(\d{2})(\r?\n)/g, ",$1-$2-$3$4"),
    "date-format:motus_authhist.STATUS_CHANGE_DATE",
    "date format",
    "YYYYMMDD",
  );
});

it("refuses a history with moved days", async () => {
  const later = (text: string) =>
    text.replace(/,(\d{8})(\r?\n)/g, (_all, day: string, end: string) => `,${Number(day) - 10_000}${end}`);
  await expectRefused("motus_authhist.csv", later, "older-than-before", "lost-rows:motus_authhist");
});

it("refuses two swapped columns", async () => {
  const swap = (text: string) => text.replace("PHY_STREET,PHY_CITY", "PHY_CITY,PHY_STREET");
  await expectRefused("census.csv", swap, "feed-jump:us_small_carriers_active", "another");
});

it("refuses a day that empties a feed, for any reason", async () => {
  // Every order is cured, in known words and dates: only the result looks odd.
  const cure = (text: string) => {
    const [header = "", ...rows] = text.trimEnd().split("\n");
    return `${[header, ...rows.map((row) => row.replace(/,20\d{6}(\r?)$/, ",20261101$1"))].join("\n")}\n`;
  };
  await expectRefused("motus_revokesuspend.csv", cure, "lost-rows:motus_revokesuspend");
  const dir = await folders.changed(3, "motus_revokesuspend.csv", cure);
  await expect(importDir(dir, accepting("lost-rows:motus_revokesuspend"))).rejects.toThrow(
    /us_revocation_pending would lose .*--accept feed-jump:us_revocation_pending/,
  );
});

it("refuses an old file among new ones", async () => {
  const { readFile } = await import("node:fs/promises");
  const old = await readFile(`${folders.day(0)}/motus_carrier.csv`, "latin1");
  await expectRefused("motus_carrier.csv", () => old, "old-file:motus_carrier", "2026-11-16");
});

it("refuses a Carrier file that contradicts AuthHist", async () => {
  const turned = (text: string) => {
    let count = 0;
    return text.replace(/,Active,/g, (status) => (++count % 8 === 0 ? ",Inactive," : status));
  };
  const dir = await folders.changed(3, "motus_carrier.csv", turned);
  await expect(importDir(dir)).rejects.toThrow(/contradict each other.*--accept sources-disagree/);
});

it("refuses rows that cannot be read if they become more", async () => {
  let count = 0;
  const change = (text: string) =>
    text.replace(/^MC-?\d+,/gm, (docket) => (++count % 10 === 0 ? "?docket?," : docket));
  await expectRefused("motus_insur.csv", change, "rejected-growth:motus_insur", "unreadable docket");
});

it("accepts a cosmetic edit of the history without a wrong event", async () => {
  const dir = await folders.changed(3, "motus_authhist.csv", (text) =>
    text.replaceAll(" (Except Household Goods)", "").replaceAll(" - ", " – "),
  );
  const edited = await importDir(dir, accepting(), { isPreview: true });
  expect(edited.events).toEqual(truth.events);
  expect(edited.feeds.map(({ feed, rowsAfter }) => [feed, rowsAfter])).toEqual(
    truth.feeds.map(({ feed, rowsAfter }) => [feed, rowsAfter]),
  );
});

it("reports columns that were added or are in another order, and reads them correctly", async () => {
  const dir = await folders.changed(3, "motus_revokesuspend.csv", (text) =>
    text
      .trimEnd()
      .split("\n")
      .map((line, row) => {
        const [docket, usdot, ...rest] = line.trimEnd().split(",");
        return [usdot, docket, ...rest, row === 0 ? "ORDER2_NOTE" : ""].join(",");
      })
      .concat("")
      .join("\n"),
  );
  const report = await importDir(dir, accepting(), { isPreview: true });
  const file = report.files.find(({ dataset }) => dataset === "motus_revokesuspend");
  expect(file?.unexpected).toEqual({ added: ["ORDER2_NOTE"], absent: [], areReordered: true });
});

it("gives the lock of imports back where its work can't be cleared", async () => {
  const { pool, bulkPool } = context.db;
  await pool.query(`
    CREATE FUNCTION refuse_clearing() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no space left'; END $$;
    CREATE TRIGGER refuse BEFORE TRUNCATE ON staging.census EXECUTE FUNCTION refuse_clearing()`);
  await expect(importDir(folders.day(2))).rejects.toThrow("no space left");
  await pool.query("DROP FUNCTION refuse_clearing CASCADE");
  const clients = await Promise.all([bulkPool.connect(), bulkPool.connect()]);
  try {
    for (const client of clients) {
      expect(await tryLockPublishing(client)).toBe(true);
      await unlockPublishing(client);
    }
  } finally {
    for (const client of clients) client.release();
  }
});

// The last test, since it imports day 3.
it("previews an import, which then does exactly that", async () => {
  const report = await importDir(folders.day(3));
  const comparable = ({ run: _run, seconds: _seconds, refusals: _none, ...rest }: ImportReport) => rest;
  expect(comparable(truth)).toEqual(comparable(report));
  const small = report.feeds.find(({ feed }) => feed === "us_small_carriers_active");
  expect(small?.changes?.added.rows).toBeGreaterThan(0);
  expect(Object.keys(small?.changes?.removed ?? {}).length).toBeGreaterThan(0);
  expect(report.files.every(({ sha256 }) => /^[0-9a-f]{64}$/.test(sha256 ?? ""))).toBe(true);
});

it("an import that was ended from outside counts as failed, and one that is alive as running", async () => {
  const client = await context.db.bulkPool.connect();
  try {
    await tryLockPublishing(client);
    const run = await openRun(context, client, "/registry");
    expect(newestOf(await newestRuns(context), "running")?.id).toBe(run);
    await unlockPublishing(client);
    const runs = await newestRuns(context);
    expect(newestOf(runs, "running")).toBeNull();
    expect(newestOf(runs, "failed")).toMatchObject({
      id: run,
      refusal: "The import was ended before it was done.",
    });
  } finally {
    client.release();
  }
});
