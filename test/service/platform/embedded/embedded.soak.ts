// The long form of "brings the server back however long something prevents its start": a backend of the killed server
// really stays for 85 s. Before, a process that used the server gave up after 60 s.
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { expect, test } from "vitest";
import { createPool } from "../../../../src/platform/database/pool.ts";
import { startEmbeddedPostgres } from "../../../../src/platform/embedded/start.ts";
import { memoryLog } from "../../../support/memory-log.ts";

test("a backend that stays for 85 s after its server was killed only delays the next server", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "tdf-soak-"));
  await chmod(folder, 0o755);
  const { log, text } = memoryLog();
  const settings = { shared_buffers: "16MB" };
  const server = await startEmbeddedPostgres({ dataDir: folder, log, settings });
  const pool = createPool({ url: server.url, log, size: 2, acquireTimeoutMs: 3_000 });
  await pool.query("CREATE TABLE kept AS SELECT 1 AS n");
  const backend = new pg.Client({ connectionString: server.url });
  backend.on("error", () => {});
  await backend.connect();
  const { rows } = await backend.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  const pid = rows[0]?.pid ?? 0;
  process.kill(pid, "SIGSTOP");
  const postmaster = await readFile(path.join(folder, "postgres/data/postmaster.pid"), "utf8");
  process.kill(Number(postmaster.split("\n")[0]), "SIGKILL");
  await wait(85_000);
  await expect(pool.query("SELECT n FROM kept")).rejects.toThrow();
  expect(text()).toMatch(/pre-existing shared memory block/);
  process.kill(pid, "SIGCONT");
  await expect
    .poll(() => pool.query("SELECT n FROM kept").then((found) => found.rows, String), { timeout: 60_000 })
    .toEqual([{ n: 1 }]);
  await pool.end();
  await server.stop();
  await rm(folder, { recursive: true });
});
