// Written by `npm run generate:sql` from the .sql files of this folder. Don't edit it.
import { statement } from "../../platform/database/statement.ts";

export interface ForgetEventsParams {
  before: Date;
  upTo: number;
  most: number;
}

export interface ForgetEventsRow {
  deleted: number;
}

export const forgetEvents = statement<ForgetEventsParams, ForgetEventsRow>(
  import.meta.url,
  "forget-events.sql",
  ["before", "upTo", "most"],
);
