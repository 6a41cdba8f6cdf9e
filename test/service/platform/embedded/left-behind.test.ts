import { spawn } from "node:child_process";
import { once } from "node:events";
import { chown, mkdir, readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { memoryLog } from "../../../support/memory-log.ts";
import {
  clusterFolder,
  dataDir,
  hasEnded,
  isRoot,
  isServed,
  KEEP,
  kill,
  pidFile,
  query,
  READ,
  serverPid,
  start,
  startProcess,
  takeFinishedCluster,
  useServers,
} from "./servers.ts";

useServers();

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
