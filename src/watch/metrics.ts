import { watchBackups } from "../backup/last-backup.ts";
import { watchFeeds } from "../feeds/versions/feed-metrics.ts";
import { servedFeeds } from "../feeds/versions/feeds-list.ts";
import { watchImports } from "../importer/import-metrics.ts";
import type { Context } from "../platform/context.ts";
import { watchSourceAges } from "../registry/source-states.ts";
import { watchUnknownValues } from "../registry/sources.ts";
import { watchRemovals } from "../suppression/status.ts";
import { watchPausedEndpoints } from "../webhooks/endpoints/troubled.ts";
import { watchQueue } from "../webhooks/queue/queue-state.ts";

/** Adds the metrics that tell of the whole service. Every process has them, and a scrape reads them from the database. */
export function watchEverything(context: Context): void {
  watchImports(context);
  watchFeeds(context);
  watchSourceAges(context);
  watchUnknownValues(context);
  watchQueue(context);
  watchPausedEndpoints(context);
  watchRemovals(context, servedFeeds);
  watchBackups(context);
}
