import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../../../src/platform/embedded/start.ts";
import { createLog } from "../../../../src/platform/log.ts";

export const ROOT = path.join(import.meta.dirname, "../../../..");
const LAUNCHER = "src/platform/embedded/start.ts";
const log = createLog("silent");
const SETTINGS = { fsync: "off", shared_buffers: "16MB" };
export const isRoot = process.getuid?.() === 0;

export let folder: string;
export let dataDir: string;
let servers: EmbeddedPostgres[];
export let processes: ChildProcess[];
/** The DATA_DIR of a server that was started and stopped. */
let finished: string;

export async function start(settings: Record<string, string> = {}, toLog = log): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, log: toLog, settings: { ...SETTINGS, ...settings } });
  servers.push(server);
  return server;
}

/** Begins with a cluster, for tests of what comes after it was created: a copy takes a tenth of the time. */
export function takeFinishedCluster(): void {
  // Unlike Node's own, this copy keeps the owner.
  execFileSync("cp", ["-a", finished, dataDir]);
}

/** Starts it in a separate process, which tests can kill. */
export async function startProcess({
  root = ROOT,
  user = {},
} = {}): Promise<{ process: ChildProcess; url: string }> {
  const program = path.join(ROOT, "test/support/processes/embedded-process.ts");
  const child = spawn(process.execPath, [program, dataDir, path.join(root, LAUNCHER)], {
    ...user,
    detached: true,
    stdio: ["pipe", "pipe", "inherit"],
  });
  processes.push(child);
  child.stdout.setEncoding("utf8");
  const printed = await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
  expect(printed[0]).toMatch(/^postgresql:/);
  return { process: child, url: String(printed[0]).trim() };
}

/** From now on the tests use another folder of this name as DATA_DIR. */
export function useDataDir(name: string): void {
  dataDir = path.join(folder, name);
}

export const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

export async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const exit = once(child, "exit");
  child.stdin?.end();
  await exit;
}

/** Kills the whole process group, like a terminal. */
export async function kill(child: ChildProcess): Promise<void> {
  const exit = once(child, "exit");
  process.kill(-(child.pid ?? 0), "SIGKILL");
  await exit;
}

/** A busy machine takes its time to open a connection. */
const PATIENCE_MS = 20_000;

export async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: PATIENCE_MS });
  client.on("error", () => {});
  try {
    await client.connect();
    return (await client.query({ text: sql, rowMode: "array" })).rows.flat();
  } finally {
    await client.end();
  }
}

export const clusterFolder = async () => {
  const pointer = await readFile(path.join(dataDir, "postgres-location"), "utf8").catch(() => null);
  return pointer ?? path.join(dataDir, "postgres");
};
export const pidFile = async () => path.join(await clusterFolder(), "data/postmaster.pid");
export const serverPid = async () => Number((await readFile(await pidFile(), "utf8")).split("\n")[0]);

export async function isServed(): Promise<boolean> {
  const pid = await serverPid().catch(() => null);
  if (pid === null) return false;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

export const KEEP = "CREATE TABLE kept AS SELECT 1 AS n";
export const READ = "SELECT n FROM kept";

/** Gives each test a DATA_DIR of its own, and checks after it that no server is left. */
export function useServers(): void {
  beforeAll(async () => {
    finished = await mkdtemp(path.join(tmpdir(), "tdf-finished-"));
    await chmod(finished, 0o755);
    const server = await startEmbeddedPostgres({ dataDir: finished, log, settings: SETTINGS });
    await server.stop();
  });
  afterAll(() => rm(finished, { recursive: true, force: true }));
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "tdf-embedded-"));
    await chmod(folder, 0o755);
    dataDir = path.join(folder, "data");
    servers = [];
    processes = [];
  });
  afterEach(async () => {
    for (const process of processes) await end(process);
    for (const server of servers) await server.stop().catch(() => {});
    expect(await isServed()).toBe(false);
    await rm(folder, { recursive: true, force: true });
  });
}
