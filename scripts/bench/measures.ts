import type { Measure } from "./measure.ts";
import { changesDepth } from "./measures/changes-depth.ts";
import { checkpointFiltered } from "./measures/checkpoint-filtered.ts";
import { dispatch } from "./measures/dispatch.ts";
import { dispatchBacklog } from "./measures/dispatch-backlog.ts";
import { dispatchDatabase } from "./measures/dispatch-database.ts";
import { dispatchDead } from "./measures/dispatch-dead.ts";
import { dispatchSlow } from "./measures/dispatch-slow.ts";
import { dispatchTwo } from "./measures/dispatch-two.ts";
import { eventsDepth } from "./measures/events-depth.ts";
import { exportFiltered } from "./measures/export-filtered.ts";
import { exportNdjson, exportParquet } from "./measures/export-formats.ts";
import { exportMemory } from "./measures/export-memory.ts";
import { exportParquetFirst } from "./measures/export-parquet-first.ts";
import { exportWhole } from "./measures/export-whole.ts";
import { filterCold } from "./measures/filter-cold.ts";
import { growthExport } from "./measures/growth-export.ts";
import { growthImport } from "./measures/growth-import.ts";
import { growthPage } from "./measures/growth-page.ts";
import { hotPage } from "./measures/hot-page.ts";
import { hotPageAlone } from "./measures/hot-page-alone.ts";
import { hotPagePlain } from "./measures/hot-page-plain.ts";
import { importApplied } from "./measures/import-applied.ts";
import { importCopy } from "./measures/import-copy.ts";
import { importMemory } from "./measures/import-memory.ts";
import { importSecondDay } from "./measures/import-second-day.ts";
import { importWhole } from "./measures/import-whole.ts";
import { pageDatabase } from "./measures/page-database.ts";
import { pageDepth } from "./measures/page-depth.ts";
import { pageDepthFiltered } from "./measures/page-depth-filtered.ts";
import { publishChanges } from "./measures/publish-changes.ts";
import { publishStall } from "./measures/publish-stall.ts";
import { removals } from "./measures/removals.ts";
import { startMemory } from "./measures/start-memory.ts";
import { startTime } from "./measures/start-time.ts";

/** Every measure, in the order of the table and of the run: the last ones change the data that the others read. */
export const MEASURES: readonly Measure[] = [
  importCopy,
  importApplied,
  importWhole,
  importSecondDay,
  importMemory,
  growthImport,
  publishChanges,
  changesDepth,
  pageDepth,
  pageDepthFiltered,
  filterCold,
  checkpointFiltered,
  pageDatabase,
  growthPage,
  hotPage,
  hotPageAlone,
  hotPagePlain,
  exportWhole,
  exportNdjson,
  exportParquet,
  exportParquetFirst,
  exportFiltered,
  exportMemory,
  growthExport,
  startTime,
  startMemory,
  eventsDepth,
  dispatch,
  dispatchDatabase,
  dispatchDead,
  dispatchSlow,
  dispatchTwo,
  dispatchBacklog,
  removals,
  publishStall,
];
