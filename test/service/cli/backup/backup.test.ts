import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, readlink, stat, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { makeBackup } from "../../../../src/backup/backup.ts";
import { lastBackupAt } from "../../../../src/backup/last-backup.ts";
import { loadTables } from "../../../../src/backup/load.ts";
import { verifyBackup } from "../../../../src/backup/read-backup.ts";
import { OperatorError } from "../../../../src/platform/operator-error.ts";
import { VERSION } from "../../../../src/platform/version.ts";
import { settableClock } from "../../../support/clock.ts";
import { openTestContext } from "../../../support/context.ts";
import { dump } from "../../../support/database/dump.ts";
import { createTestDatabase } from "../../../support/database.ts";
import { MAIN, spawnTdf } from "../../../support/processes/command.ts";
import {
  connected,
  database,
  dumpBefore,
  file,
  folder,
  kept,
  settings,
  tdf,
  useBackup,
} from "./backed-up.ts";

useBackup();

describe("a backup", () => {
  it("is a file that nobody else may read, and nothing else is left", async () => {
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await readdir(folder)).filter((name) => name.startsWith("backup"))).toEqual(["backup.zst"]);
  });

  it("holds the rows of every table that a crash keeps", async () => {
    const { header, end } = await verifyBackup(file);
    expect(header.program).toBe(VERSION);
    const counts = end.parts.map(({ table, rows }) => [table, rows]);
    const dumped = Object.entries(kept(dumpBefore)).flatMap(([name, held]) =>
      typeof held === "object" && held !== null ? [[name, (held as { rows: number }).rows]] : [],
    );
    expect(counts.toSorted()).toEqual(dumped.toSorted());
  });

  it("is recorded with its time, and is not the restore's", async () => {
    const { db } = await openTestContext(database.url, settableClock("2026-11-21T12:00:00Z"));
    expect((await lastBackupAt({ db }))?.getTime()).toBeGreaterThan(Date.now() - 600_000);
    await db.close();
  });

  it("says why it can't be written, and leaves nothing", async () => {
    const nowhere = path.join(folder, "nowhere", "backup.zst");
    expect(await tdf("backup", nowhere)).toMatchObject({
      status: 2,
      err: `The file ${nowhere} can't be written (ENOENT).\n`,
    });
    expect(await tdf("backup", folder)).toMatchObject({
      status: 2,
      err: `${folder} is a folder; name a file.\n`,
    });
    // It ended with a stack.
    expect(await tdf("backup", "")).toMatchObject({ status: 2, err: "The name of the file is empty.\n" });
  });

  // "A file can't be used" named no file, so the operator looked at the disk of DATA_DIR. A file that grew too large for
  // its disk ended with a stack.
  it("names the file for which its disk has no room, and leaves nothing", async () => {
    const small = path.join(await mkdtemp(path.join(folder, "small-")), "backup.zst");
    const limited = ["-c", 'ulimit -f 1; exec "$@"', "sh", process.execPath, MAIN, "backup", small];
    const env = { ...process.env, ...settings(), DATABASE_URL: database.url };
    const { code, stderr } = await promisify(execFile)("sh", limited, { env }).catch((error) => error);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        `The file ${small} can't be written (EFBIG). ` +
        "Free some space there, or name a file on a disk with more room.\n",
    });
    expect(await readdir(path.dirname(small))).toEqual([]);
  });

  // A link was replaced by the file, so the folder that it led to got no backup any more.
  it("is written where a link leads", async () => {
    const away = path.join(folder, "away");
    await mkdir(away);
    for (const before of ["a backup of yesterday", null]) {
      const link = path.join(folder, `link-${before === null}`);
      const target = path.join(away, `${before === null}.zst`);
      if (before !== null) await writeFile(target, before);
      await symlink(path.relative(folder, target), link);
      expect(await tdf("backup", link)).toMatchObject({ err: "", status: 0 });
      expect(await readlink(link)).toBe(path.relative(folder, target));
      expect((await verifyBackup(target)).header.program).toBe(VERSION);
    }
    expect(await readdir(away)).toEqual(["false.zst", "true.zst"]);
  });

  // The file took the place of the pipe. As root, it took that of /dev/null.
  it("does not replace a pipe or a device", async () => {
    const pipe = path.join(folder, "a-pipe");
    await promisify(execFile)("mkfifo", [pipe]);
    for (const words of [["backup"], ["removal", "export"]])
      expect(await tdf(...words, pipe)).toMatchObject({
        status: 2,
        err: `${pipe} is a device or a pipe; name a file.\n`,
      });
    expect((await stat(pipe)).isFIFO()).toBe(true);
  });
});

describe("a backup that is stopped", () => {
  // SIGHUP, as of a terminal that is closed, ended the process and left what was written so far.
  it.each([
    ["backup", "SIGINT"],
    ["backup", "SIGHUP"],
    ["removal export", "SIGTERM"],
    ["removal export", "SIGHUP"],
  ] as const)("leaves nothing, also by a signal: %s, %s", async (command, name) => {
    const target = path.join(folder, "stopped");
    await writeFile(target, "the one before");
    const parts = async () => (await readdir(folder)).filter((each) => each.startsWith("stopped."));
    const words = [...command.split(" "), target];
    const { ended } = await connected(async (client) => {
      await client.query("BEGIN; LOCK TABLE removal_decision");
      const env = { ...process.env, ...settings(), DATABASE_URL: database.url };
      const child = spawn(process.execPath, [MAIN, ...words], { env, stdio: ["ignore", "ignore", "pipe"] });
      const ended = Promise.all([once(child, "close"), text(child.stderr)]);
      await vi.waitFor(async () => expect(await parts()).toHaveLength(1), 20_000);
      child.kill(name);
      await vi.waitFor(async () => expect(await parts()).toEqual([]), 20_000);
      return { ended };
    });
    const what = command === "backup" ? "backup" : "export";
    expect(await ended).toEqual([[75, null], `The ${what} was stopped. No file was written.\n`]);
    expect(await readFile(target, "utf8")).toBe("the one before");
  });

  it("leaves no file, and the one before as it was", async () => {
    const before = await readFile(file);
    const context = await openTestContext(database.url, settableClock("2026-11-21T12:00:00Z"));
    const stopping = new AbortController();
    const onTable = (_: string, index: number) => {
      if (index === 5) stopping.abort();
    };
    await expect(makeBackup(context, { file, signal: stopping.signal, onTable })).rejects.toThrow(
      new OperatorError("The backup was stopped. No file was written.", { solution: "later" }),
    );
    await context.db.close();
    expect((await readdir(folder)).filter((name) => name.startsWith("backup"))).toEqual(["backup.zst"]);
    expect(await readFile(file)).toEqual(before);
  });
});

it("a file that is cut while its rows are loaded ends the transaction", async () => {
  const target = await createTestDatabase();
  const context = await openTestContext(target.url, settableClock("2026-11-21T12:00:00Z"));
  const before = await dump(context.db);
  const { end } = await verifyBackup(file);
  const bytes = await readFile(file);
  await writeFile(`${file}.cut`, bytes.subarray(0, bytes.length >> 1));
  const load = context.db.bulkTransaction((client) =>
    loadTables(client, { file: `${file}.cut`, verified: end, onTable: () => {} }),
  );
  await expect(load).rejects.toThrow("its end is missing");
  expect(await dump(context.db)).toEqual(before);
  await context.db.close();
  await target.drop();
});

it("a backup of a named database is restored into the program's own, and back", async () => {
  const env = { ...settings(), DATABASE_URL: "", DATA_DIR: path.join(folder, "embedded") };
  const copy = path.join(folder, "copy.zst");
  expect(await spawnTdf(env, "restore", file)).toMatchObject({ err: "", status: 0 });
  expect(await spawnTdf(env, "backup", copy)).toMatchObject({ err: "", status: 0 });
  const [first, second] = [await verifyBackup(file), await verifyBackup(copy)];
  expect(second.end.parts).toEqual(first.end.parts);
  expect(second.header.sequences).toEqual(first.header.sequences);
});
