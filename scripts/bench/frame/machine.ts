import { availableParallelism, cpus, loadavg, release, totalmem, type } from "node:os";
import type { Bench } from "./bench.ts";
import { queryOnce } from "./databases.ts";
import type { Machine } from "./report.ts";

const SETTINGS = [
  "shared_buffers",
  "max_wal_size",
  "checkpoint_timeout",
  "wal_level",
  "wal_compression",
  "synchronous_commit",
  "fsync",
  "full_page_writes",
  "work_mem",
  "maintenance_work_mem",
];

/** The machine and the database server of a run. */
export async function describeMachine(bench: Bench): Promise<Machine> {
  const { url, isEmbedded } = bench.server;
  const [server] = await queryOnce<{ version: string }>(url, "SHOW server_version");
  const settings = await queryOnce<{ name: string; value: string }>(
    url,
    "SELECT name, current_setting(name) AS value FROM pg_settings WHERE name = ANY ($1)",
    [SETTINGS],
  );
  return {
    processor: cpus()[0]?.model.trim() ?? "unknown",
    cores: availableParallelism(),
    memoryGib: Math.round((totalmem() / 2 ** 30) * 10) / 10,
    system: `${type()} ${release()}`,
    node: process.version,
    loadAverage: Math.round((loadavg()[0] ?? 0) * 100) / 100,
    database: {
      version: Object.values(server ?? {})[0] ?? "unknown",
      isEmbedded,
      settings: Object.fromEntries(settings.map(({ name, value }) => [name, value])),
    },
    ...bench.clients,
  };
}
