import { once } from "node:events";
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { parse } from "csv-parse/sync";
import type { ImportReport } from "../../../src/importer/runs.ts";
import { type Bench, sharedIn } from "../frame/bench.ts";
import { dropDatabase, newDatabase, queryOnce } from "../frame/databases.ts";
import { inRounds } from "../frame/rounds.ts";
import { type CommandRun, runCommand } from "../programs/program.ts";
import { copyInMs } from "../programs/psql.ts";
import { filesIn, registryOf } from "./registry.ts";

/** Times of one `tdf import`, measured from outside. */
export interface TimedImport {
  /** The whole process. */
  seconds: number;
  /** Only reading and copying all files into the staging tables. */
  copySeconds: number;
  /** From the first row read until every change is applied and only the feeds are left to build. */
  appliedSeconds: number;
  /** Processor time of the importing process. */
  processorMs: number;
  peakMb: number | null;
  report: ImportReport;
}

/** One round: the same files by psql and by a first import, then the next day's import. */
export interface ImportRound {
  copySeconds: number;
  first: TimedImport;
  second: TimedImport;
}

/** Rounds of imports, each into its own database, shared by the measures of the importer. */
export const importRounds = sharedIn(async (bench): Promise<ImportRound[]> => {
  const registry = await registryOf(bench, bench.sizes.carriers);
  const copyDatabase = await newDatabase(bench);
  const files = await openCopyTables(copyDatabase, registry.first);
  return inRounds(bench, "imports", async () => {
    const copySeconds = await copyAll(bench, copyDatabase, files);
    const databaseUrl = await newDatabase(bench);
    const first = await timedImport(bench, databaseUrl, registry.first);
    const second = await timedImport(bench, databaseUrl, registry.second);
    await dropDatabase(bench, databaseUrl);
    return { copySeconds, first, second };
  });
});

/** Imports a folder into a database and reads the times of its steps from its output. */
export async function timedImport(bench: Bench, databaseUrl: string, folder: string): Promise<TimedImport> {
  // In generated registries of some sizes half a percent of the authorities contradict each other: just too many.
  const accepted = ["--accept", "sources-disagree"];
  const run = await runCommand(bench, databaseUrl, ["import", "--dir", folder, "--json", ...accepted]);
  const begunAt = firstTime(run, /^reading /);
  return {
    seconds: run.seconds,
    copySeconds: firstTime(run, /^merging /) - begunAt,
    appliedSeconds: firstTime(run, /^building |^detecting /) - begunAt,
    processorMs: run.processorMs,
    peakMb: run.peakMb,
    report: JSON.parse(run.stdout),
  };
}

function firstTime({ lines }: CommandRun, pattern: RegExp): number {
  const line = lines.find(({ text }) => pattern.test(text));
  if (!line) throw new Error(`The import did not log the time of ${pattern}.`);
  return line.atSeconds;
}

interface CopyFile {
  table: string;
  file: string;
  hasHeader: boolean;
}

/** Unlogged tables with the files' columns as text: the least work for PostgreSQL. */
async function openCopyTables(databaseUrl: string, folder: string): Promise<CopyFile[]> {
  const files: CopyFile[] = [];
  for (const { name, path } of await filesIn(folder)) {
    const table = name.replace(/\W/g, "_");
    const width = await columnsIn(path);
    const columns = Array.from({ length: width }, (_, index) => `c${index} text`);
    await queryOnce(databaseUrl, `CREATE UNLOGGED TABLE ${table} (${columns.join(", ")})`);
    // The official .txt files have no header.
    files.push({ table, file: path, hasHeader: name.endsWith(".csv") });
  }
  return files;
}

async function columnsIn(file: string): Promise<number> {
  const lines = createInterface({ input: createReadStream(file, "latin1") });
  const [line] = (await once(lines, "line")) as [string];
  lines.close();
  return (parse(line.replace(/^ï»¿/, "")) as string[][])[0]?.length ?? 0;
}

async function copyAll(bench: Bench, databaseUrl: string, files: readonly CopyFile[]): Promise<number> {
  await queryOnce(databaseUrl, `TRUNCATE ${files.map(({ table }) => table).join(", ")}`);
  let ms = 0;
  for (const file of files) ms += await copyInMs(bench, databaseUrl, file);
  return ms / 1000;
}
