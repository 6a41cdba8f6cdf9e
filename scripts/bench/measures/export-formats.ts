import type { ExportFormat } from "../../../src/feeds/export/format.ts";
import { downloadOf } from "../load-generator.ts";
import type { Measure } from "../measure.ts";
import { inRounds, ratioOf } from "../rounds.ts";
import { exportPath, servedFeeds, sharedService } from "../served.ts";

/** Reads files that the first export in each format wrote. */
const exportIn = (format: ExportFormat, named: string, target: Measure["target"]): Measure => ({
  name: `export-${format}`,
  what: `how long the download of a whole feed as ${named} takes once its file is made; 400,000 records`,
  against: "the download of the same feed as CSV",
  target,
  unit: "×",
  run: async (bench) => {
    const { whole, customer } = await servedFeeds(bench);
    const { url } = await sharedService(bench);
    const download = (wanted: ExportFormat) =>
      downloadOf(bench, url + exportPath(whole, "", wanted), customer.headers);
    const { sizeBytes } = await download(format);
    const { sizeBytes: csvBytes } = await download("csv");
    const pairs = await inRounds(bench, `export-${format}`, async () => ({
      subject: (await download(format)).ms,
      limit: (await download("csv")).ms,
    }));
    return ratioOf(pairs, "ms", { rows: whole.rows, sizeBytes, csvBytes });
  },
});

/** It has 2.8 times the bytes of CSV: every row names its columns. */
export const exportNdjson = exportIn("ndjson", "NDJSON", { atMost: 3 });
export const exportParquet = exportIn("parquet", "Parquet", { atMost: 0.5 });
