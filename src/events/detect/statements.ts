// Written by `npm run generate:sql` from the .sql files of this folder. Don't edit it.
import { statement } from "../../platform/database/statement.ts";
import type { EventType } from "../event-types.ts";

export interface ApplyCorrectionsParams {
  now: Date;
}

export const applyCorrections = statement<ApplyCorrectionsParams, object>(
  import.meta.url,
  "apply-corrections.sql",
  ["now"],
);

export const clearEvents = statement<void, object>(
  import.meta.url,
  "clear-events.sql",
  [],
);

export const correctHistory = statement<void, object>(
  import.meta.url,
  "correct-history.sql",
  [],
);

export const correctOrders = statement<void, object>(
  import.meta.url,
  "correct-orders.sql",
  [],
);

export interface CountNewRow {
  type: EventType;
  count: number;
}

export const countNew = statement<void, CountNewRow>(
  import.meta.url,
  "count-new.sql",
  [],
);

export interface DetectHistoryParams {
  asOf: string;
  detectedAt: Date;
  states: readonly string[];
  previousAsOf: string | null;
  legacyFrozenOn: string;
  classes: readonly string[];
}

export const detectHistory = statement<DetectHistoryParams, object>(
  import.meta.url,
  "detect-history.sql",
  ["asOf", "detectedAt", "states", "previousAsOf", "legacyFrozenOn", "classes"],
);

export interface DetectNoticesParams {
  detectedAt: Date;
  states: readonly string[];
  asOf: string;
  classes: readonly string[];
}

export const detectNotices = statement<DetectNoticesParams, object>(
  import.meta.url,
  "detect-notices.sql",
  ["detectedAt", "states", "asOf", "classes"],
);

export interface DetectStatusesParams {
  asOf: string;
  detectedAt: Date;
  states: readonly string[];
  classes: readonly string[];
}

export const detectStatuses = statement<DetectStatusesParams, object>(
  import.meta.url,
  "detect-statuses.sql",
  ["asOf", "detectedAt", "states", "classes"],
);

export interface DetectionTimeParams {
  now: Date;
}

export interface DetectionTimeRow {
  at: Date;
}

export const detectionTime = statement<DetectionTimeParams, DetectionTimeRow>(
  import.meta.url,
  "detection-time.sql",
  ["now"],
);

export const dropKnown = statement<void, object>(
  import.meta.url,
  "drop-known.sql",
  [],
);

export const openNewEvents = statement<void, object>(
  import.meta.url,
  "open-new-events.sql",
  [],
);

export interface RecordDetectionParams {
  finishedAt: Date;
  asOf: string;
}

export const recordDetection = statement<RecordDetectionParams, object>(
  import.meta.url,
  "record-detection.sql",
  ["finishedAt", "asOf"],
);

export const writeEvents = statement<void, object>(
  import.meta.url,
  "write-events.sql",
  [],
);
