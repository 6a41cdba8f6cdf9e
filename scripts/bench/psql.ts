import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Bench } from "./bench.ts";
import { clientEnvironment } from "./clients.ts";
import type { BareCopyJob } from "./processes/bare-copy.ts";
import { startWorker } from "./worker.ts";

/** What stands for "psql" in the table where there is none. */
export const copyLimit = (bench: Bench): string =>
  bench.clients.psql === null ? "COPY on the pg driver (no psql here)" : "psql \\copy";

/** How long it takes to copy what a SELECT gives out of a database to nowhere, in milliseconds. */
export function copyOutMs(bench: Bench, databaseUrl: string, select: string): Promise<number> {
  if (bench.clients.psql === null) return bareCopy(bench, { direction: "out", databaseUrl, select });
  return psqlMs(databaseUrl, `\\copy (${select}) TO '/dev/null'`);
}

/** How long it takes to copy a CSV file into a table, in milliseconds. */
export function copyInMs(
  bench: Bench,
  databaseUrl: string,
  { table, file, hasHeader }: { table: string; file: string; hasHeader: boolean },
): Promise<number> {
  // Some lines are in another encoding than the rest; read byte by byte, every line goes in.
  const options = `(FORMAT csv, HEADER ${hasHeader}, ENCODING 'LATIN1')`;
  if (bench.clients.psql === null) {
    return bareCopy(bench, {
      direction: "in",
      databaseUrl,
      statement: `COPY ${table} FROM STDIN ${options}`,
      file,
    });
  }
  return psqlMs(databaseUrl, `\\copy ${table} FROM '${file.replaceAll("'", "''")}' ${options}`);
}

// By psql's own clock: its start is no part of the limit.
async function psqlMs(databaseUrl: string, command: string): Promise<number> {
  const args = ["-X", "-q", "-v", "ON_ERROR_STOP=1", "-c", "\\timing on", "-c", command];
  const { stdout } = await promisify(execFile)("psql", args, { env: clientEnvironment(databaseUrl) });
  const ms = /^Time: ([\d.]+) ms/m.exec(stdout)?.[1];
  if (ms === undefined) throw new Error(`psql did not tell the time: ${stdout}`);
  return Number(ms);
}

async function bareCopy(bench: Bench, job: BareCopyJob): Promise<number> {
  const worker = startWorker<BareCopyJob>(bench, "bare-copy.ts");
  try {
    return await worker.ask<number>(job);
  } finally {
    worker.stop();
  }
}
