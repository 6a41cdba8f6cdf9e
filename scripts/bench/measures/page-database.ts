import { versionTable } from "../../../src/feeds/versions/version-table.ts";
import type { Measure } from "../measure.ts";
import { pageLimit, pageMs } from "../pgbench.ts";
import type { PageReaderJob } from "../processes/page-reader.ts";
import { inRounds, ratioOf } from "../rounds.ts";
import { servedFeeds } from "../served.ts";
import { startWorker } from "../worker.ts";

/** The program's overhead for reading a page's rows, without HTTP on either side. */
export const pageDatabase: Measure = {
  name: "page-database",
  what: "how long the program takes to read a page of 100 records from the database, without HTTP, over one connection",
  against: "pgbench, which reads the same rows by a prepared statement",
  target: { atMost: 1.5 },
  unit: "×",
  run: async (bench) => {
    const { databaseUrl, deep } = await servedFeeds(bench);
    const reader = startWorker<PageReaderJob>(bench, "page-reader.ts");
    const pages = { pages: Math.floor(deep.rows / 100), pageSize: 100 };
    const job = { databaseUrl, versionId: deep.id, ...pages, runMs: bench.sizes.runMs };
    // Warm-up: the first reader of a table reads it from disk.
    await reader.ask<number>(job);
    const pairs = await inRounds(bench, "page-database", async () => ({
      subject: await reader.ask<number>(job),
      limit: await pageMs(bench, { databaseUrl, table: versionTable(deep.id), ...pages }),
    }));
    reader.stop();
    return ratioOf(pairs, "ms", { rows: deep.rows, limitBy: pageLimit(bench) });
  },
};
