// Written by `npm run generate:sql` from the .sql files of this folder. Don't edit it.
import { statement } from "../database/statement.ts";

export interface ListMonthsParams {
  table: string;
  before: Date;
}

export interface ListMonthsRow {
  name: string;
  last_day: string;
}

export const listMonths = statement<ListMonthsParams, ListMonthsRow>(
  import.meta.url,
  "list-months.sql",
  ["table", "before"],
);

export interface MakePartitionsParams {
  table: string;
  now: Date;
}

export interface MakePartitionsRow {
  made: number;
}

export const makePartitions = statement<MakePartitionsParams, MakePartitionsRow>(
  import.meta.url,
  "make-partitions.sql",
  ["table", "now"],
);

export const waitBriefly = statement<void, object>(
  import.meta.url,
  "wait-briefly.sql",
  [],
);
