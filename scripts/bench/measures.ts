import type { Measure } from "./frame/measure.ts";
import { changesDepth } from "./measures/changes-depth.ts";
import { DISPATCHES } from "./measures/dispatch.ts";
import { dispatchBacklog } from "./measures/dispatch-backlog.ts";
import { dispatchSlow } from "./measures/dispatch-slow.ts";
import { eventsDepth } from "./measures/events-depth.ts";
import { exportMemory } from "./measures/export-memory.ts";
import { EXPORTS } from "./measures/exports.ts";
import { HOT_PAGES } from "./measures/hot-pages.ts";
import { IMPORTS } from "./measures/imports.ts";
import { PAGES } from "./measures/pages.ts";
import { publishStall } from "./measures/publish-stall.ts";
import { READS } from "./measures/reads.ts";
import { removals } from "./measures/removals.ts";
import { STARTS } from "./measures/start.ts";
import { watchedImport } from "./measures/watched-import.ts";

/** Every measure, in the order of the table and of the run: the last ones change the data that the others read. */
export const MEASURES: readonly Measure[] = [
  ...IMPORTS,
  watchedImport,
  changesDepth,
  ...PAGES,
  ...HOT_PAGES,
  ...READS,
  ...EXPORTS,
  exportMemory,
  ...STARTS,
  eventsDepth,
  ...DISPATCHES,
  dispatchSlow,
  dispatchBacklog,
  removals,
  publishStall,
];
