import { downloadOf, latenciesOf } from "../load-generator.ts";
import type { Measure } from "../measure.ts";
import { forgetCaches, startService } from "../program.ts";
import { inRounds, ratioOf } from "../rounds.ts";
import { exportPath, pagePath, servedFeeds } from "../served.ts";

/** Each round starts a service without cached files. A Parquet file is made from the lines of NDJSON, which are made first. */
export const exportParquetFirst: Measure = {
  name: "export-parquet-first",
  what: "how long the first download of a whole feed as Parquet takes, which makes the file; 400,000 records",
  against: "the first download of the same feed as CSV, which makes a file too",
  target: { atMost: 10 },
  unit: "×",
  run: async (bench) => {
    const { databaseUrl, whole, customer } = await servedFeeds(bench);
    const pairs = await inRounds(bench, "export-parquet-first", async () => {
      await forgetCaches(bench, databaseUrl);
      const service = await startService(bench, databaseUrl);
      // The page loads what the checkpoints of both exports read.
      await latenciesOf(bench, service.url, customer.headers, [[pagePath(whole, 1)]]);
      const csv = await downloadOf(bench, service.url + exportPath(whole), customer.headers);
      const parquet = await downloadOf(
        bench,
        service.url + exportPath(whole, "", "parquet"),
        customer.headers,
      );
      await service.stop();
      return { subject: parquet.ms, limit: csv.ms };
    });
    return ratioOf(pairs, "ms", { rows: whole.rows });
  },
};
