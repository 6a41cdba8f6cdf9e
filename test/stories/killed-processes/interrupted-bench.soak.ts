import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";

const ROOT = path.join(import.meta.dirname, "../../..");

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), "tdf-interrupted-"));
  // When this process is root, PostgreSQL runs as another user.
  chmodSync(dataDir, 0o755);
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

/** Starts a small run, and waits for a line of its progress. */
async function benchUntil(words: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ["scripts/bench.ts", "--smoke", "--only", "hot-page"], {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: "" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const lines = createInterface({ input: child.stderr as NodeJS.ReadableStream });
  await new Promise<void>((resolve, reject) => {
    lines.on("line", (line) => line.includes(words) && resolve());
    child.once("exit", () => reject(new Error(`the run ended before it said "${words}"`)));
  });
  return child;
}

/** The processes that know the run's folder: PostgreSQL by its arguments, the others by their environment. */
const processesOfRun = (): string[] =>
  globSync("/proc/[0-9]*/{cmdline,environ}").filter((file) => {
    try {
      return readFileSync(file, "utf8").includes(dataDir);
    } catch {
      return false;
    }
  });

it.runIf(process.platform === "linux").each([
  { signals: 1, afterMs: 0, what: "as it begins" },
  { signals: 2, afterMs: 4_000, what: "twice, in the midst of a measure" },
])("a bench that is interrupted $what leaves nothing running", async ({ signals, afterMs }) => {
  const bench = await benchUntil("hot-page");
  await wait(afterMs);
  expect(processesOfRun().length).toBeGreaterThan(1);
  const ended = once(bench, "exit");
  for (let sent = 0; sent < signals; sent++) {
    bench.kill("SIGINT");
    await wait(50);
  }
  const [code] = await ended;
  expect(code).not.toBe(0);
  expect(processesOfRun()).toEqual([]);
});
