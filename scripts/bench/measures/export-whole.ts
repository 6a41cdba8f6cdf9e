import { versionTable } from "../../../src/feeds/versions/version-table.ts";
import { downloadOf } from "../load-generator.ts";
import type { Measure } from "../measure.ts";
import { copyLimit, copyOutMs } from "../psql.ts";
import { inRounds, ratioOf } from "../rounds.ts";
import { exportPath, servedFeeds, sharedService } from "../served.ts";
import { rounded } from "../statistics.ts";

/** Reads the file that the version's first export wrote; the details have the time of that first export. */
export const exportWhole: Measure = {
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
