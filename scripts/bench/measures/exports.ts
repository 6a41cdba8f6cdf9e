import type { ExportFormat } from "../../../src/feeds/export/format.ts";
import { versionTable } from "../../../src/feeds/versions/feed-version.ts";
import type { Measure } from "../frame/measure.ts";
import { inRounds, ratioOf } from "../frame/rounds.ts";
import { rounded } from "../frame/statistics.ts";
import { downloadOf, latenciesOf } from "../programs/load-generator.ts";
import { forgetCaches, startService } from "../programs/program.ts";
import { copyLimit, copyOutMs } from "../programs/psql.ts";
import { exportPath, pagePath, servedFeeds, sharedService } from "../setup/served.ts";
import { inEightStates, rowsInEightStates, STATES_FILTER } from "../setup/states.ts";

/** Reads the file that the version's first export wrote; the details have the time of that first export. */
const exportWhole: Measure = {
  name: "export-whole",
  what: "how long the download of a whole feed as CSV takes; 400,000 records",
  against: "psql, which copies the same finished lines to /dev/null",
  target: { atMost: 0.3 },
  unit: "×",
  run: async (bench) => {
    const { databaseUrl, whole, customer } = await servedFeeds(bench);
    const url = (await sharedService(bench)).url + exportPath(whole);
    const select = `SELECT csv FROM ${versionTable(whole.id)} ORDER BY pos`;
    const first = await downloadOf(bench, url, customer.headers);
    const pairs = await inRounds(bench, "export-whole", async () => ({
      subject: (await downloadOf(bench, url, customer.headers)).ms,
      limit: await copyOutMs(bench, databaseUrl, select),
    }));
    return ratioOf(pairs, "ms", {
      rows: whole.rows,
      sizeBytes: first.sizeBytes,
      limitBy: copyLimit(bench),
      firstExportMs: rounded(first.ms),
    });
  },
};

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
const exportNdjson = exportIn("ndjson", "NDJSON", { atMost: 3 });
const exportParquet = exportIn("parquet", "Parquet", { atMost: 0.5 });

/** Each round starts a service without cached files. A Parquet file is made from the lines of NDJSON, which are made first. */
const exportParquetFirst: Measure = {
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

/** The rows of some states. */
const exportFiltered: Measure = {
  name: "export-filtered",
  what: "how long the download of eight states' records as CSV takes, from a feed of 400,000",
  against: "psql, which copies the same lines to /dev/null",
  target: { atMost: 1.2 },
  unit: "×",
  run: async (bench) => {
    const { databaseUrl, whole, customer } = await servedFeeds(bench);
    const url = (await sharedService(bench)).url + exportPath(whole, STATES_FILTER);
    const select = `SELECT csv FROM ${versionTable(whole.id)} WHERE ${inEightStates} ORDER BY pos`;
    const { sizeBytes } = await downloadOf(bench, url, customer.headers);
    const pairs = await inRounds(bench, "export-filtered", async () => ({
      subject: (await downloadOf(bench, url, customer.headers)).ms,
      limit: await copyOutMs(bench, databaseUrl, select),
    }));
    const rows = await rowsInEightStates(databaseUrl, whole);
    return ratioOf(pairs, "ms", { rows, sizeBytes, limitBy: copyLimit(bench) });
  },
};

export const EXPORTS: readonly Measure[] = [
  exportWhole,
  exportNdjson,
  exportParquet,
  exportParquetFirst,
  exportFiltered,
];
