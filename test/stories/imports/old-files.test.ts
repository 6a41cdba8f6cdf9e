import { mkdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { importFolder } from "../../../src/importer/import.ts";
import { type ImportReport, listRuns } from "../../../src/importer/runs.ts";
import { settableClock } from "../../support/clock.ts";
import { type RegistryFolders, registryFolders } from "../../support/registry/registry-folders.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { halfOf, putManifest, withMoves } from "./old-parts.ts";

const FIRST_DAY = "2026-11-13";
const DAYS = 8;
/** The day whose files are changed; one follows. */
const LAST = DAYS - 2;
const LAPSES = "us_insurance_lapse_alerts";
const BROKERS = "us_brokers";

let service: TestService;
let folders: RegistryFolders;
let key: string;

beforeAll(async () => {
  service = await startTestService({ clock: settableClock("2026-11-20T12:00:00Z") });
  ({ key } = await service.createAccount({
    feeds: { [LAPSES]: null, [BROKERS]: null },
    rowsPerMonth: 1_000_000,
  }));
  folders = await registryFolders({ carriers: 4_000, seed: 4711, firstDay: FIRST_DAY, days: DAYS });
  for (let day = 0; day < LAST; day += 1) await importDir(folders.day(day));
});
afterAll(async () => {
  await service.stop();
  await folders.close();
});

const importDir = (
  dir: string,
  options: { accept?: string[]; isPreview?: boolean; isDifference?: boolean } = {},
): Promise<ImportReport> =>
  importFolder(service.context, {
    dir,
    asOf: null,
    isDifference: options.isDifference ?? false,
    accept: new Set(options.accept),
    isPreview: options.isPreview ?? false,
  });

/** The report of a preview; rejects with what it refuses. */
async function preview(dir: string, ...accept: string[]): Promise<ImportReport> {
  const report = await importDir(dir, { accept, isPreview: true });
  const [refusal] = report.refusals ?? [];
  if (refusal !== undefined) throw new Error(refusal);
  return report;
}

const ofDay = (day: number, name: string) => readFile(path.join(folders.day(day), name), "latin1");
const withoutFile = (name: string) => folders.changed(LAST, name, () => null);
const replaced = (name: string, text: string, day = LAST) => folders.changed(day, name, () => text);
const dayAt = (index: number) => `2026-11-${13 + index}`;

/** What an import with such moves is refused for besides. */
const MOVES = "column-jump:motus_carrier.BUS_ZIP_CODE";

const asOfDays = async () => {
  const answer = await service.get("/v1/feeds", key);
  const { data } = (await answer.json()) as { data: { code: string; as_of: string }[] };
  return Object.fromEntries(data.map(({ code, as_of }) => [code, as_of]));
};

describe("a file that is missing or broken is refused by name:", () => {
  it.each([
    ["motus_inshist", "Motus InsHist"],
    ["census", "Company Census File"],
    ["oos_order", "out-of-service orders"],
  ])("%s missing", async (dataset, title) => {
    await expect(preview(await withoutFile(`${dataset}.csv`))).rejects.toThrow(
      new RegExp(
        `^${title} is not in the folder, but was in the last whole import, \\d+; .*--accept missing-source:${dataset}\\.$`,
        "i",
      ),
    );
  });

  it.each<[string, string, (text: string) => string]>([
    ["motus_carrier", "a server's sentence", () => "Service Unavailable\n"],
    ["motus_carrier", "semicolons", (text) => text.replaceAll(",", ";")],
    ["census", "tabs", (text) => text.replaceAll(",", "\t")],
    ["motus_revokesuspend", "a JSON error", () => '{"code":"error","error":true}'],
    ["oos_order", "a server's sentence", () => "Service Unavailable\n"],
  ])("%s as %s", async (dataset, _form, change) => {
    const dir = await folders.changed(LAST, `${dataset}.csv`, change);
    await expect(preview(dir)).rejects.toThrow(
      new RegExp(
        `^${dataset}\\.csv is named like .*download it again; .*--accept missing-source:${dataset}\\.$`,
      ),
    );
  });
});

describe("a file of which a part is old is refused by name:", () => {
  it("InsHist whose second half is some days old", async () => {
    const old = await ofDay(0, "motus_inshist.csv");
    const dir = await folders.changed(LAST, "motus_inshist.csv", (now) => halfOf(now, old));
    await expect(preview(dir)).rejects.toThrow(
      /^Motus InsHist no longer has \d+ rows of the last days, .* a part of the file is old; .*--accept half-old:motus_inshist\.$/,
    );
  });

  it("the census whose second half is some days old", async () => {
    const old = await ofDay(0, "census.csv");
    const dir = await folders.changed(LAST, "census.csv", (now) => halfOf(now, old));
    await expect(preview(dir)).rejects.toThrow(
      /^Company Census File has \d+ rows that the last import did not have, but \d+ of them are those of an earlier import: .*--accept half-old:census\.$/,
    );
  });

  it("AuthHist whose second half is two days old", async () => {
    const old = await ofDay(LAST - 2, "motus_authhist.csv");
    const dir = await folders.changed(LAST, "motus_authhist.csv", (now) => halfOf(now, old));
    await expect(preview(dir)).rejects.toThrow(
      /^Motus AuthHist no longer has \d+ rows of the last days, .*--accept half-old:motus_authhist\.$/,
    );
  });

  it("Insur whose second half is three days old", async () => {
    const old = await ofDay(LAST - 3, "motus_insur.csv");
    const dir = await folders.changed(LAST, "motus_insur.csv", (now) => halfOf(now, old));
    await expect(preview(dir)).rejects.toThrow(
      /^Motus Insur no longer has \d rows of the last days, .*--accept half-old:motus_insur\.$/,
    );
  });

  it("RevokeSuspend without two orders of the last days, where a day brings five", async () => {
    let left = 2;
    const dir = await folders.changed(LAST, "motus_revokesuspend.csv", (now) =>
      now
        .split("\n")
        .filter((line) => !(/^MC-.*,202611(16|17|18),/.test(line) && left-- > 0))
        .join("\n"),
    );
    await expect(preview(dir)).rejects.toThrow(
      /^Motus RevokeSuspend no longer has 2 rows of the last days, .*--accept half-old:motus_revokesuspend\.$/,
    );
  });

  it("Carrier whose second half is that of yesterday, at a size where a day brings many rows", async () => {
    const yesterday = withMoves(await ofDay(LAST - 1, "motus_carrier.csv"), 1);
    const today = withMoves(await ofDay(LAST, "motus_carrier.csv"), 2);
    const moved = await replaced("motus_carrier.csv", yesterday, LAST - 1);
    await expect(importDir(moved)).rejects.toThrow(/: USDOT \d+ "\d*" became "10001", .*; if that is right/);
    // A business may be removed later, so what is kept of the refusal names none.
    const [run] = await listRuns(service.context, 1);
    expect(run?.refusal).toMatch(/column BUS_ZIP_CODE of \d+ of \d+ rows \([^:"]*\); if that is right/);
    expect(JSON.stringify(run)).not.toContain("became");
    await importDir(moved, { accept: [MOVES] });
    await expect(preview(await replaced("motus_carrier.csv", halfOf(today, yesterday)))).rejects.toThrow(
      /^Motus Carrier has \d+ new rows, but none in the last \d0% of the file, where about \d+ are usual: .*--accept half-old:motus_carrier\.$/,
    );
    await expect(preview(await replaced("motus_carrier.csv", today), MOVES)).resolves.toMatchObject({
      run: null,
    });
  });
});

it("a frozen file that changed is refused by name; another form of it is not", async () => {
  const name = "legacy_carrier.txt";
  let changed = 0;
  const reactivated = await folders.changed(LAST, name, (text) =>
    text.replaceAll('"I"', (word) => {
      changed += 1;
      return changed <= 30 ? '"A"' : word;
    }),
  );
  expect(changed).toBeGreaterThan(30);
  await expect(preview(reactivated)).rejects.toThrow(
    /^legacy Carrier is frozen, but \d+ rows of the first import are gone and \d+ are new; .*--accept frozen-changed:legacy_carrier/,
  );
  const report = await preview(await folders.changed(LAST, name, (text) => text.replaceAll("\n", "\r\n")));
  expect(report.changes.legacy_carrier).toEqual({ inserted: 0, updated: 0, deleted: 0 });
});

describe("a manifest", () => {
  const noted = async (change: Record<string, unknown>) => {
    const dir = await folders.changed(LAST, "motus_insur.csv", (text) => text);
    await putManifest(dir, "motus_insur.csv", change);
    return dir;
  };

  it("that agrees is shown with the file, and one that lies is refused by name", async () => {
    const report = await preview(await noted({}));
    expect(report.files.find(({ noted }) => noted)?.dataset).toBe("motus_insur");
    expect(report.skipped).toEqual([]);
    await expect(preview(await noted({ sizeBytes: 5 }))).rejects.toThrow(
      /^motus_insur\.csv is not the file of manifest\.json: it has \d+ bytes instead of 5; remove it and download it again.*--accept manifest:motus_insur\.$/,
    );
    await expect(preview(await noted({ sha256: "00" }))).rejects.toThrow(/its SHA-256 is .* instead of 00;/);
  });

  it("that cannot be read is refused", async () => {
    await expect(preview(await noted({ fetchedAt: "soon" }))).rejects.toThrow(
      /^manifest\.json cannot be read;/,
    );
    const dir = await noted({});
    await rm(path.join(dir, "manifest.json"));
    await mkdir(path.join(dir, "manifest.json"));
    await expect(preview(dir)).rejects.toThrow(/^manifest\.json cannot be read;/);
  });
});

describe("an old file without dates holds back the feeds that need it:", () => {
  it("a missing one that is accepted, and that of yesterday", async () => {
    const yesterday = await ofDay(LAST - 1, "motus_carrier.csv");
    const dir = await replaced("motus_carrier.csv", withMoves(yesterday, 1));
    await rm(path.join(dir, "motus_inshist.csv"));
    const report = await importDir(dir, {
      accept: ["missing-source:motus_inshist", "sources-disagree", MOVES],
    });
    expect(report.asOf).toBe(dayAt(LAST));
    expect(await asOfDays()).toEqual({ [BROKERS]: dayAt(LAST - 1), [LAPSES]: dayAt(LAST - 1) });

    const inshist = await ofDay(LAST - 1, "motus_inshist.csv");
    await importDir(await replaced("motus_inshist.csv", inshist), {
      accept: [MOVES, "half-old:motus_carrier"],
    });
    expect(await asOfDays()).toEqual({ [BROKERS]: dayAt(LAST), [LAPSES]: dayAt(LAST - 1) });

    await importDir(folders.day(LAST));
    expect(await asOfDays()).toEqual({ [BROKERS]: dayAt(LAST), [LAPSES]: dayAt(LAST) });
  });

  it("a daily difference that changes no row of it", async () => {
    const nothing = await ofDay(LAST, "motus_inshist.csv");
    await importDir(await replaced("motus_inshist.csv", nothing, DAYS - 1), { isDifference: true });
    expect(await asOfDays()).toEqual({ [BROKERS]: dayAt(DAYS - 1), [LAPSES]: dayAt(LAST) });
  });

  it("a daily difference without rows, whose bytes are those of every day without changes", async () => {
    const headerOf = (text: string) => text.slice(0, text.indexOf("\n") + 1);
    const still = await folders.changed(DAYS - 1, "motus_boc3.csv", headerOf);
    for (const dir of [still, folders.day(DAYS - 1), still]) await importDir(dir, { isDifference: true });
    const [run] = await listRuns(service.context, 1);
    expect(run?.report?.files.find(({ dataset }) => dataset === "motus_boc3")?.rowsRead).toBe(0);
  });
});
