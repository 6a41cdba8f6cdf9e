import type { Bench } from "../../bench/frame/bench.ts";
import { copyOf, dropDatabase, newDatabase } from "../../bench/frame/databases.ts";
import { importedRegistry } from "../../bench/setup/imported.ts";
import { type TimedImport, timedImport } from "../../bench/setup/imports.ts";
import { type Registry, registryOf } from "../../bench/setup/registry.ts";
import type { Meter, Work } from "./work.ts";

const rowsOf = ({ report }: TimedImport): number =>
  report.files.reduce((sum, { rowsRead }) => sum + rowsRead, 0);

/** Meters the import of a folder into a database. */
async function meteredImport(bench: Bench, meter: Meter, databaseUrl: string, folder: string) {
  let processorMs = 0;
  return meter(
    async () => processorMs,
    async () => {
      const run = await timedImport(bench, databaseUrl, folder);
      processorMs = run.processorMs;
      return { units: rowsOf(run) };
    },
  );
}

/** Each round imports into a database of its own. */
const importWork = (
  work: Pick<Work, "name" | "what">,
  folderOf: (registry: Registry) => string,
  newTarget: (bench: Bench) => Promise<string>,
): Work => ({
  ...work,
  unit: "row",
  process: "import",
  open: async (bench) => {
    const folder = folderOf(await registryOf(bench, bench.sizes.carriers));
    return async (meter) => {
      const databaseUrl = await newTarget(bench);
      const metered = await meteredImport(bench, meter, databaseUrl, folder);
      await dropDatabase(bench, databaseUrl);
      return metered;
    };
  },
});

export const firstImport = importWork(
  {
    name: "import-first",
    what: "rows of the files of a first import: read, checked, applied, every feed built",
  },
  ({ first }) => first,
  newDatabase,
);

export const secondImport = importWork(
  {
    name: "import-second-day",
    what: "rows of the next day's whole files, of which 1% of the companies changed",
  },
  ({ second }) => second,
  async (bench) => copyOf(bench, (await importedRegistry(bench)).databaseUrl),
);
