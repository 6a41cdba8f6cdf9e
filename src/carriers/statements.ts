// Written by `npm run generate:sql` from the .sql files of this folder. Don't edit it.
import { statement } from "../platform/database/statement.ts";

export interface FindDocketParams {
  docket: string;
}

export interface FindDocketRow {
  usdot: number;
}

export const findDocket = statement<FindDocketParams, FindDocketRow>(
  import.meta.url,
  "find-docket.sql",
  ["docket"],
);
