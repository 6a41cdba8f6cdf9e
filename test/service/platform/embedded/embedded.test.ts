import { mkdir, readdir, rename, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { OperatorError } from "../../../../src/platform/operator-error.ts";
import { memoryLog } from "../../../support/memory-log.ts";
import {
  clusterFolder,
  dataDir,
  end,
  folder,
  isServed,
  KEEP,
  kill,
  query,
  READ,
  serverPid,
  start,
  startProcess,
  takeFinishedCluster,
  useDataDir,
  useServers,
} from "./servers.ts";

useServers();

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
  const long = path.join(folder, "a".repeat(100));
  await mkdir(long);
  await rename(path.join(dataDir, "postgres"), path.join(long, "postgres"));
  useDataDir(path.basename(long));
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
