// Written by `npm run generate:sql` from the .sql files of this folder. Don't edit it.
import { statement } from "../../platform/database/statement.ts";
import type { EventType } from "../event-types.ts";

export const clearEvents = statement<void, object>(
  import.meta.url,
  "clear-events.sql",
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

export interface NoteDetectionParams {
  finishedAt: Date;
  asOf: string;
}

export const noteDetection = statement<NoteDetectionParams, object>(
  import.meta.url,
  "note-detection.sql",
  ["finishedAt", "asOf"],
);

export const openNewEvents = statement<void, object>(
  import.meta.url,
  "open-new-events.sql",
  [],
);

export const writeEvents = statement<void, object>(
  import.meta.url,
  "write-events.sql",
  [],
);
