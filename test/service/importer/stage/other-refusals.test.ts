import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findInputs } from "../../../../src/importer/recognise/dataset-inputs.ts";
import { stageFolder } from "../../../../src/importer/stage/stage.ts";
import { readInput } from "../../../../src/importer/stage/stage-file.ts";
import { datasetCsv } from "./plain-rows.ts";
import { authhist, census, cut, published, staging, useImported } from "./refused.ts";
import { TODAY } from "./staging.ts";

useImported();

test("a good folder is staged after a refused one, from the beginning", async () => {
  await staging.stage({ "census.csv": cut(census, 99) }).catch(() => {});
  const staged = await staging.stage({ "census.csv": datasetCsv("census", [{}, {}]) });
  expect(staged.files.map(({ kept }) => kept)).toEqual([2]);
  expect(await staging.rows("census")).toHaveLength(2);
  expect(await staging.rows("motus_authhist")).toEqual([]);
});

test("folders and hidden files are not read, a link within the folder is", async () => {
  const dir = await staging.folder({ ".a.csv": authhist, ".hidden.csv": "<html>" });
  await mkdir(join(dir, "deeper"));
  await writeFile(join(dir, "deeper", "census.csv"), census);
  await symlink(join(dir, ".a.csv"), join(dir, "link.csv"));
  const staged = await stageFolder(staging.context, { dir, today: TODAY });
  expect(staged.files.map(({ file }) => file)).toEqual(["link.csv"]);
  expect(staged.skipped).toEqual([{ file: "deeper", why: "not a file; folders are not searched" }]);
});

// The file behind the link would be missing, and a missing file counts as unchanged.
test.each([
  [
    "out of the folder",
    "census.csv",
    /^census\.csv is a link that leads out of the folder; put the file itself/,
  ],
  ["nowhere", "gone.csv", /^census\.csv is a link that leads nowhere; remove it from the folder/],
])("a link that leads %s is refused", async (_, target, sentence) => {
  const outside = await staging.folder({ "census.csv": census });
  const dir = await staging.folder({ "a.csv": authhist });
  await symlink(join(outside, target), join(dir, "census.csv"));
  await expect(stageFolder(staging.context, { dir, today: TODAY })).rejects.toThrow(sentence);
  expect(await staging.fingerprint()).toBe(published);
});

test("a file that vanishes after it was recognised is refused, and named", async () => {
  const dir = await staging.folder({ "a.csv": authhist, "census.csv": census });
  const { inputs } = await findInputs(dir, false);
  await rm(join(dir, "a.csv"));
  const [input] = inputs.filter(({ label }) => label === "a.csv");
  const reading = readInput(input as (typeof inputs)[number], TODAY, false);
  await expect(reading.next()).rejects.toThrow(/^a\.csv can't be read \(ENOENT\); see that it is there/);
  await expect(reading.next()).resolves.toMatchObject({ done: true });
});

test("a broken file leaves no connection open", async () => {
  for (let round = 0; round < 5; round += 1)
    await staging.stage({ "a.csv": authhist.slice(0, -1) }).catch(() => {});
  const { bulkPool } = staging.context.db;
  expect(bulkPool.totalCount - bulkPool.idleCount).toBe(0);
  // The server needs a moment to notice that the client has disconnected.
  const copying = async () => {
    const { rows } = await bulkPool.query<{ count: number }>(
      "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'COPY%' AND state = 'active'",
    );
    return rows[0]?.count;
  };
  await expect.poll(copying, { timeout: 10_000 }).toBe(0);
});
