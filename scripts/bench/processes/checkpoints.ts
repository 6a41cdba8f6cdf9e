// Filters a version and computes the checkpoint of the records found, as the service does; answers the medians of both.
import { type FeedCode, feedOf } from "../../../src/feeds/catalogue.ts";
import { parseFilters } from "../../../src/feeds/records/filters.ts";
import { positionsOf } from "../../../src/feeds/records/positions.ts";
import { selectionOf } from "../../../src/feeds/records/selection.ts";
import { checkpointOf } from "../../../src/feeds/sync/checkpoint.ts";
import { onVersion } from "../../../src/feeds/versions/versions.ts";
import { configFrom } from "../../../src/platform/config/config.ts";
import { openContext } from "../../../src/platform/open-context.ts";
import { median } from "../statistics.ts";
import { answerJobs } from "./jobs.ts";

export interface CheckpointJob {
  environment: NodeJS.ProcessEnv;
  feed: FeedCode;
  version: number;
  /** Each with its parameters. */
  filters: [name: string, values: readonly string[]][][];
}
export interface CheckpointTimes {
  filterMs: number;
  checkpointMs: number;
}

answerJobs<CheckpointJob>(async ({ environment, feed: code, version: id, filters }) => {
  const feed = feedOf(code);
  if (!feed) throw new Error(`There is no feed ${code}`);
  const { context, close } = await openContext(configFrom({ ...environment, LOG_LEVEL: "warn" }));
  try {
    return await onVersion(context, feed, id, async (version): Promise<CheckpointTimes> => {
      const timesOf = async (filter: CheckpointJob["filters"][number]): Promise<CheckpointTimes> => {
        const asked = parseFilters(feed, new Map(filter), "countRecords");
        const scope = { asOf: version.asOf, planRegions: null, since: undefined };
        const selection = selectionOf(feed, asked, scope);
        const startedAt = performance.now();
        await positionsOf(context, version, selection);
        const filteredAt = performance.now();
        const checkpoint = await checkpointOf(context, undefined, version, selection);
        const endedAt = performance.now();
        if (!checkpoint || checkpoint.rows === 0) throw new Error("The filter selects no records.");
        return { filterMs: filteredAt - startedAt, checkpointMs: endedAt - filteredAt };
      };
      // The first one also loads the columns, which the process keeps.
      const times: CheckpointTimes[] = [];
      for (const filter of filters) times.push(await timesOf(filter));
      times.shift();
      return {
        filterMs: median(times.map(({ filterMs }) => filterMs)),
        checkpointMs: median(times.map(({ checkpointMs }) => checkpointMs)),
      };
    });
  } finally {
    await close();
  }
});
