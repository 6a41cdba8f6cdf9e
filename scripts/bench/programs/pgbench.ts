import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import type { Bench } from "../frame/bench.ts";
import { clientEnvironment } from "../frame/clients.ts";
import type { BarePagesJob } from "./processes/bare-pages.ts";
import { startWorker } from "./worker.ts";

/** Name of the replacement in the table when pgbench is missing. */
export const pageLimit = (bench: Bench): string =>
  bench.clients.pgbench === null
    ? "a prepared statement on the pg driver (no pgbench here)"
    : "pgbench, prepared";

/** The mean latency of reading random pages of a table on one connection, in milliseconds. */
export async function pageMs(
  bench: Bench,
  job: { databaseUrl: string; table: string; pages: number; pageSize: number },
): Promise<number> {
  const { runMs } = bench.sizes;
  if (bench.clients.pgbench === null) {
    const worker = startWorker<BarePagesJob>(bench, "bare-pages.ts");
    return worker.ask<number>({ ...job, runMs }).finally(worker.stop);
  }
  const folder = await mkdtemp(path.join(bench.folder, "pgbench-"));
  try {
    const script = path.join(folder, "page.sql");
    await writeFile(
      script,
      `\\set start ${job.pageSize} * random(0, ${job.pages - 1})
SELECT json FROM ${job.table} WHERE pos > :start AND pos <= :start + ${job.pageSize} ORDER BY pos;
`,
    );
    const seconds = Math.max(1, Math.round(runMs / 1000));
    const args = [
      "--no-vacuum",
      "--client=1",
      "--protocol=prepared",
      `--time=${seconds}`,
      `--file=${script}`,
    ];
    const { stdout } = await promisify(execFile)("pgbench", args, {
      env: clientEnvironment(job.databaseUrl),
    });
    const ms = /^latency average = ([\d.]+) ms/m.exec(stdout)?.[1];
    if (ms === undefined) throw new Error(`pgbench did not report the latency: ${stdout}`);
    return Number(ms);
  } finally {
    await rm(folder, { recursive: true });
  }
}
