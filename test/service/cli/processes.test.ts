// Other tests run commands inside their own process. Each command is run here as a process, which prints the same and ends.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { loadCommands } from "../../../src/cli/command-line.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { MAIN, runTdf, spawnTdf } from "../../support/processes/command.ts";

const COMMANDS = [
  ["migrate"],
  ["feed", "rollback", "us_brokers"],
  ["explain", "1001"],
  ["carrier", "history", "1001"],
  ["plan", "list", "--json"],
  ["account", "list"],
  ["key", "revoke", "nosuchid"],
  ["contacts", "list"],
  ["removal", "export"],
  ["webhook", "list"],
  ["openapi"],
  ["admin", "sign-out"],
  ["log"],
  ["access", "list"],
  ["recovered"],
  ["upgrade", "rehearse"],
] as const;

/** Commands whose processes are in start.test.ts, dispatch.test.ts, admin-port.test.ts and backup.test.ts. */
const ELSEWHERE = ["start", "serve", "dispatch", "backup", "restore", "registry", "import", "status"];

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(path.join(tmpdir(), "tdf-processes-"));
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

it("is about every command", async () => {
  const names = (await loadCommands()).map((command) => command.name());
  expect([...ELSEWHERE, ...COMMANDS.map(([name]) => name)].sort()).toEqual(names.sort());
});

/** Runs `tdf <words>` with readers that are gone before it writes. Returns the exit status and what a kept reader read. */
async function withClosedPipes(words: readonly string[], { keepsErr = false } = {}) {
  const env = { ...process.env, DATABASE_URL: database.url, DATA_DIR: folder };
  const child = spawn(process.execPath, [MAIN, ...words], { env, stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.destroy();
  let err = "";
  if (keepsErr) child.stderr.on("data", (chunk) => (err += chunk));
  else child.stderr.destroy();
  const [status] = await once(child, "close");
  return { status, err };
}

it("a command ends as always when its reader closed the pipe, as head does", async () => {
  // `removal export` said that the database is not available.
  for (const words of [["openapi"], ["account", "list"], ["removal", "export"]]) {
    expect(await withClosedPipes(words, { keepsErr: true })).toEqual({ status: 0, err: "" });
  }
  expect(await withClosedPipes(["key", "revoke", "nosuchid"])).toEqual({ status: 2, err: "" });
});

// It ended with a stack, and left its connections open.
it.skipIf(!existsSync("/dev/full"))("a command whose output does not fit on the disk says so", async () => {
  for (const words of [["openapi"], ["removal", "export"], ["key", "list"]]) {
    const full = await open("/dev/full", "w");
    const env = { ...process.env, DATABASE_URL: database.url, DATA_DIR: folder };
    const child = spawn(process.execPath, [MAIN, ...words], { env, stdio: ["ignore", full.fd, "pipe"] });
    const ended = await Promise.all([
      once(child, "close"),
      text(child.stderr as NonNullable<typeof child.stderr>),
    ]);
    await full.close();
    expect(ended).toEqual([[75, null], "The output can't be written: the disk is full (write ENOSPC).\n"]);
  }
});

const words = [["--version"], ["--help"], ["nope"], ...COMMANDS];
it.each(words.map((each) => [each.join(" "), each] as const))("tdf %s", async (_, each) => {
  const env = { DATABASE_URL: database.url, DATA_DIR: folder };
  const printed = await spawnTdf(env, ...each);
  expect(printed).toEqual(await runTdf(env, ...each));
  expect(printed.out + printed.err).not.toBe("");
});
