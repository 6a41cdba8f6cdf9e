import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Bench } from "../frame/bench.ts";
import { clientEnvironment } from "../frame/clients.ts";
import type { BareCopyJob } from "./processes/bare-copy.ts";
import { startWorker } from "./worker.ts";

/** Name of the replacement in the table when psql is missing. */
export const copyLimit = (bench: Bench): string =>
  bench.clients.psql === null ? "COPY on the pg driver (no psql here)" : "psql \\copy";

/** Milliseconds to copy the rows of a SELECT to /dev/null. */
export function copyOutMs(bench: Bench, databaseUrl: string, select: string): Promise<number> {
  if (bench.clients.psql === null) return bareCopy(bench, { direction: "out", databaseUrl, select });
  return psqlMs(databaseUrl, `\\copy (${select}) TO '/dev/null'`);
}

/** Milliseconds to copy a CSV file into a table. */
export function copyInMs(
  bench: Bench,
  databaseUrl: string,
  { table, file, hasHeader }: { table: string; file: string; hasHeader: boolean },
): Promise<number> {
  // Some lines are in another encoding than the rest; as single bytes every line is valid.
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

// By psql's own clock: the start of psql does not count.
async function psqlMs(databaseUrl: string, command: string): Promise<number> {
  const args = ["-X", "-q", "-v", "ON_ERROR_STOP=1", "-c", "\\timing on", "-c", command];
  const { stdout } = await promisify(execFile)("psql", args, { env: clientEnvironment(databaseUrl) });
  const ms = /^Time: ([\d.]+) ms/m.exec(stdout)?.[1];
  if (ms === undefined) throw new Error(`psql did not report the time: ${stdout}`);
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
