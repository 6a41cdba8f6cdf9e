import { afterEach, beforeEach, expect, test } from "vitest";
import { stageFolder } from "../../../../src/importer/stage/stage.ts";
import { DATASETS } from "../../../../src/registry/datasets.ts";
import { wholeFolder } from "./plain-rows.ts";
import { type Files, openStaging, type Staging, TODAY } from "./staging.ts";

let staging: Staging;

beforeEach(async () => {
  staging = await openStaging();
});

afterEach(() => staging.close());

const LEGACY = DATASETS.filter((dataset) => dataset.startsWith("legacy_"));
const first = wholeFolder(30);

const stageAgain = async (files: Files, today = TODAY) =>
  stageFolder(staging.context, { dir: await staging.folder(files), today, skipsUnchanged: true });

test("legacy files with the same bytes are not read again, and their rows stay", async () => {
  const before = await staging.stage(first);
  await staging.publish(before);
  const print = await staging.fingerprint();

  const again = await stageAgain(first);
  expect([...again.unchanged].sort()).toEqual([...LEGACY].sort());
  expect(again.files).toEqual(before.files);
  expect(again.profiles).toEqual(before.profiles);
  for (const dataset of LEGACY) expect(await staging.rows(dataset)).toEqual([]);
  await staging.publish(again);
  expect(await staging.fingerprint()).toBe(print);

  // And again after an import that left them out.
  expect([...(await stageAgain(first)).unchanged].sort()).toEqual([...LEGACY].sort());
});

test("a legacy file of the same size with one other byte is read", async () => {
  await staging.publish(await staging.stage(first));
  const changed = first["legacy_carrier.csv"].replace("CARRIER 7 LLC", "CARRIER 7 INC");
  const again = await stageAgain({ ...first, "legacy_carrier.csv": changed });
  expect([...again.unchanged].sort()).toEqual(
    LEGACY.filter((dataset) => dataset !== "legacy_carrier").sort(),
  );
  await staging.publish(again);
  const { rows } = await staging.context.db.pool.query(
    "SELECT legal_name FROM legacy_carrier WHERE docket IN ('MC6', 'MC7') ORDER BY docket",
  );
  expect(rows).toEqual([{ legal_name: "CARRIER 6 LLC" }, { legal_name: "CARRIER 7 INC" }]);
});

test("the same files are read again for a day on which not all of their rows count", async () => {
  await staging.publish(await staging.stage(first));
  const earlier = await stageAgain({ "legacy_authhist.csv": first["legacy_authhist.csv"] }, "2026-05-01");
  expect(earlier.unchanged.size).toBe(0);
});

test("everything is read unless asked otherwise; a refused import in between makes no difference", async () => {
  await staging.publish(await staging.stage(first));
  expect((await staging.stage(first)).unchanged.size).toBe(0);
  await stageAgain({ ...first, "legacy_carrier.csv": first["legacy_carrier.csv"].slice(0, -1) }).catch(
    () => {},
  );
  expect((await stageAgain(first)).unchanged.size).toBe(LEGACY.length);
});
