import { once } from "node:events";
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { parse } from "csv-parse/sync";
import type { ImportReport } from "../../src/importer/runs.ts";
import { type Bench, sharedIn } from "./bench.ts";
import { dropDatabase, newDatabase, queryOnce } from "./databases.ts";
import { type CommandRun, runCommand } from "./program.ts";
import { copyInMs } from "./psql.ts";
import { filesIn, registryOf } from "./registry.ts";
import { inRounds } from "./rounds.ts";

/** One import by `tdf import`, timed from outside. */
export interface TimedImport {
  /** The whole process, from its start to its end. */
  seconds: number;
  /** Reading and copying all files into the staging tables, without anything else. */
  copySeconds: number;
  /** From the first row read until every change is applied and nothing is left but to build the feeds. */
  appliedSeconds: number;
  peakMb: number | null;
  report: ImportReport;
}

/** One round: the same files by psql, by a first import, and the day after. */
export interface ImportRound {
  copySeconds: number;
  first: TimedImport;
  second: TimedImport;
}

/** Rounds of imports into databases of their own; what the measures of the importer share. */
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

/** Imports a folder into a database and takes the times of its steps from what it says of them. */
export async function timedImport(bench: Bench, databaseUrl: string, folder: string): Promise<TimedImport> {
  const run = await runCommand(bench, databaseUrl, ["import", "--dir", folder, "--json"]);
  const begunAt = firstTime(run, /^reading /);
  return {
    seconds: run.seconds,
    copySeconds: firstTime(run, /^merging /) - begunAt,
    appliedSeconds: firstTime(run, /^building |^detecting /) - begunAt,
    peakMb: run.peakMb,
    report: JSON.parse(run.stdout),
  };
}

function firstTime({ lines }: CommandRun, pattern: RegExp): number {
  const line = lines.find(({ text }) => pattern.test(text));
  if (!line) throw new Error(`The import did not say when it was at ${pattern}.`);
  return line.atSeconds;
}

interface CopyFile {
  table: string;
  file: string;
  hasHeader: boolean;
}

/** Unlogged tables with the files' own columns, all text: the least that PostgreSQL can do with them. */
async function openCopyTables(databaseUrl: string, folder: string): Promise<CopyFile[]> {
  const files: CopyFile[] = [];
  for (const { name, path } of await filesIn(folder)) {
    const table = name.replace(/\W/g, "_");
    const width = await columnsIn(path);
    const columns = Array.from({ length: width }, (_, place) => `c${place} text`);
    await queryOnce(databaseUrl, `CREATE UNLOGGED TABLE ${table} (${columns.join(", ")})`);
    // The official text files are the ones without a header.
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
