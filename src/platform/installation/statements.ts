// Written by `npm run generate:sql` from the .sql files of this folder. Don't edit it.
import { statement } from "../database/statement.ts";

export interface DemoFirstDayRow {
  day: string | null;
}

export const demoFirstDay = statement<void, DemoFirstDayRow>(
  import.meta.url,
  "demo-first-day.sql",
  [],
);

export interface InstanceIdRow {
  id: string;
}

export const instanceId = statement<void, InstanceIdRow>(
  import.meta.url,
  "instance-id.sql",
  [],
);

export interface MarkDemoParams {
  firstDay: string | null;
}

export const markDemo = statement<MarkDemoParams, object>(
  import.meta.url,
  "mark-demo.sql",
  ["firstDay"],
);

export interface ReadCheckRow {
  check: Buffer | null;
}

export const readCheck = statement<void, ReadCheckRow>(
  import.meta.url,
  "read-check.sql",
  [],
);

export interface ReadRecordIdKeyRow {
  key: Buffer;
}

export const readRecordIdKey = statement<void, ReadRecordIdKeyRow>(
  import.meta.url,
  "read-record-id-key.sql",
  [],
);

export interface ReplaceCheckParams {
  sealed: Buffer;
  before: Buffer;
}

export const replaceCheck = statement<ReplaceCheckParams, object>(
  import.meta.url,
  "replace-check.sql",
  ["sealed", "before"],
);

export interface SetFirstCheckParams {
  sealed: Buffer;
}

export interface SetFirstCheckRow {
  check: Buffer | null;
}

export const setFirstCheck = statement<SetFirstCheckParams, SetFirstCheckRow>(
  import.meta.url,
  "set-first-check.sql",
  ["sealed"],
);
