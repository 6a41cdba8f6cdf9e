// Reads random pages of a version through the program's own page function, without HTTP, for a while.

import { columnNames, feedOf } from "../../../../src/feeds/catalogue.ts";
import { readPage } from "../../../../src/feeds/records/page.ts";
import type { VisibleRows } from "../../../../src/feeds/records/visible-rows.ts";
import type { FeedVersion } from "../../../../src/feeds/versions/feed-version.ts";
import { NO_REMOVALS } from "../../../../src/feeds/versions/removals.ts";
import { openDatabase } from "../../../../src/platform/database/db.ts";
import { createLog } from "../../../../src/platform/log.ts";
import { LARGE_FEED } from "../../setup/large-version.ts";
import { answerJobs } from "./jobs.ts";

export interface PageReaderJob {
  databaseUrl: string;
  versionId: number;
  pages: number;
  pageSize: number;
  runMs: number;
}

answerJobs<PageReaderJob>(async ({ databaseUrl, versionId, pages, pageSize, runMs }) => {
  const log = createLog("warn");
  const db = await openDatabase({ url: databaseUrl, log, poolSizes: { requests: 1, bulk: 1 } });
  const feed = feedOf(LARGE_FEED);
  if (!feed) throw new Error(`There is no feed ${LARGE_FEED}`);
  const rowCount = pages * pageSize;
  const version: FeedVersion = {
    id: versionId,
    feed,
    rowCount,
    removals: NO_REMOVALS,
    columns: { names: columnNames(feed), missing: [] },
    asOf: "2000-01-01",
    publishedAtMs: 0,
    builtListState: null,
    columnsHash: null,
  };
  const whole: VisibleRows = { listed: null, removed: NO_REMOVALS.positions, count: rowCount };
  const readFor = async (ms: number): Promise<number> => {
    const startedAt = performance.now();
    let read = 0;
    while (performance.now() - startedAt < ms) {
      await readPage({ db }, version, whole, { page: 1 + Math.floor(Math.random() * pages), pageSize });
      read += 1;
    }
    return (performance.now() - startedAt) / read;
  };
  await readFor(runMs / 5);
  const latencyMs = await readFor(runMs);
  await db.close();
  return latencyMs;
});
