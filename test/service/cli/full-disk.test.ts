import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateRegistry } from "../../../src/cli/registry/made-up-registry.ts";
import { allowWrites, refuseWrites } from "../../support/database/refused-writes.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { runTdf } from "../../support/processes/command.ts";

let database: TestDatabase;
let client: pg.Client;
let folder: string;
let day: string;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  folder = await mkdtemp(path.join(tmpdir(), "tdf-full-"));
  const options = { outDir: folder, carriers: 500, seed: 4, firstDay: "2026-11-20", days: 1 };
  day = (await generateRegistry(options))[0]?.dir ?? "";
});
afterAll(async () => {
  await client.end();
  await database.drop();
  await rm(folder, { recursive: true });
});

const importDay = () =>
  runTdf({ DATABASE_URL: database.url, DATA_DIR: folder, LOG_LEVEL: "silent" }, "import", "--dir", day);

/** The lines of standard error except the steps, which end in an ellipsis. */
const complaintsOf = (err: string) =>
  err
    .trimEnd()
    .split("\n")
    .filter((line) => !line.endsWith("…"));

const LINE = 'could not extend file "base/16385/16442": No space left on device';

describe("an import into a database whose disk is full", () => {
  it.each(["census", "feed_version", "import_run"])("is one line when %s can't be written", async (table) => {
    await refuseWrites(client, table, "53100");
    const { out, err, status } = await importDay();
    await allowWrites(client, table);
    expect({ out, status }).toEqual({ out: "", status: 75 });
    expect(complaintsOf(err)).toEqual([
      `The database has no room on its disk: ${LINE}. Free some space on the disk and run the command again.`,
    ]);
  });

  it("works again once there is space", async () => {
    expect(await importDay()).toMatchObject({ status: 0 });
  });
});
