// Written by `npm run generate:sql` from the .sql files of this folder. Don't edit it.
import { statement } from "../platform/database/statement.ts";
import type { EventType } from "./event-types.ts";
import type { EventData } from "./event-row.ts";

export interface NewestDayRow {
  day: string;
  type: EventType;
  count: number;
}

export const newestDay = statement<void, NewestDayRow>(
  import.meta.url,
  "newest-day.sql",
  [],
);

export interface NewestDetectionRow {
  finishedAt: Date;
  asOf: string;
}

export const newestDetection = statement<void, NewestDetectionRow>(
  import.meta.url,
  "newest-detection.sql",
  [],
);

export interface NewestParams {
  scope: readonly string[];
  usdot: number | null;
  before: number | null;
  most: number;
}

export interface NewestRow {
  id: number;
  type: EventType;
  country: string;
  usdot: number;
  docket: string | null;
  state: string | null;
  occurred_on: string | null;
  detected_at: Date;
  source_dataset: string;
  verify_method: string | null;
  data: EventData;
}

export const newest = statement<NewestParams, NewestRow>(
  import.meta.url,
  "newest.sql",
  ["scope", "usdot", "before", "most"],
);

export interface NextNumberRow {
  number: number;
}

export const nextNumber = statement<void, NextNumberRow>(
  import.meta.url,
  "next-number.sql",
  [],
);

export interface PositionParams {
  sinceMs: number;
}

export interface PositionRow {
  instanceId: string;
  finishedAt: Date | null;
  asOf: string | null;
  lastId: number;
  sincePosition: number;
}

export const position = statement<PositionParams, PositionRow>(
  import.meta.url,
  "position.sql",
  ["sinceMs"],
);

export interface ReadOneParams {
  eventId: number;
  scope: readonly string[];
}

export interface ReadOneRow {
  id: number;
  type: EventType;
  country: string;
  usdot: number;
  docket: string | null;
  state: string | null;
  occurred_on: string | null;
  detected_at: Date;
  source_dataset: string;
  verify_method: string | null;
  data: EventData;
}

export const readOne = statement<ReadOneParams, ReadOneRow>(
  import.meta.url,
  "read-one.sql",
  ["eventId", "scope"],
);

export interface ReadParams {
  position: number;
  most: number;
  scope: readonly string[];
}

export interface ReadRow {
  newest_id: number | null;
  deleted_up_to: number | null;
  kept_since: Date | null;
  id: number | null;
  type: EventType | null;
  country: string | null;
  usdot: number | null;
  docket: string | null;
  state: string | null;
  occurred_on: string | null;
  detected_at: Date | null;
  source_dataset: string | null;
  verify_method: string | null;
  data: EventData | null;
}

export const read = statement<ReadParams, ReadRow>(
  import.meta.url,
  "read.sql",
  ["position", "most", "scope"],
);
