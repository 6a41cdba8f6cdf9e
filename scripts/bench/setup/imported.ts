import { FEEDS } from "../../../src/feeds/catalogue.ts";
import type { ImportReport } from "../../../src/importer/runs.ts";
import { type Bench, sharedIn } from "../frame/bench.ts";
import { newDatabase, queryOnce } from "../frame/databases.ts";
import { runCommand } from "../programs/program.ts";
import { registryOf } from "./registry.ts";

/** A database with the registry's first day imported, and the import's report. */
export interface Imported {
  databaseUrl: string;
  report: ImportReport;
}

/** The registry of the run's size, imported once. */
export const importedRegistry = sharedIn(async (bench): Promise<Imported> => {
  const { first } = await registryOf(bench, bench.sizes.carriers);
  const databaseUrl = await newDatabase(bench);
  bench.say(`importing the registry of ${bench.sizes.carriers} carriers`);
  const report = await importInto(bench, databaseUrl, first);
  // As after a server's daily maintenance: otherwise an automatic vacuum of this database runs beside the measures.
  await queryOnce(databaseUrl, "VACUUM ANALYZE");
  return { databaseUrl, report };
});

/** Imports a folder as an operator does; afterwards every feed has rows. */
async function importInto(bench: Bench, databaseUrl: string, folder: string): Promise<ImportReport> {
  const { stdout } = await runCommand(bench, databaseUrl, ["import", "--dir", folder, "--json"]);
  const report = JSON.parse(stdout) as ImportReport;
  const empty = FEEDS.filter(
    ({ code }) => !report.feeds.some(({ feed, rowsAfter }) => feed === code && rowsAfter > 0),
  );
  if (empty.length > 0) throw new Error(`${empty.map(({ code }) => code).join(", ")} got no rows.`);
  return report;
}
