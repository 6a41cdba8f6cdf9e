import { versionTable } from "../../../src/feeds/versions/version-table.ts";
import { downloadOf } from "../load-generator.ts";
import type { Measure } from "../measure.ts";
import { copyLimit, copyOutMs } from "../psql.ts";
import { inRounds, ratioOf } from "../rounds.ts";
import { exportPath, servedFeeds, sharedService } from "../served.ts";
import { inEightStates, rowsInEightStates, STATES_FILTER } from "../states.ts";

/** The rows of some states. */
export const exportFiltered: Measure = {
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
