// Written by `npm run generate:sql` from the .sql files of this folder. Don't edit it.
import { statement } from "../platform/database/statement.ts";

export interface ClaimTableParams {
  table: string;
  now: Date;
  clearedBefore: Date;
  leaseUntil: Date;
}

export interface ClaimTableRow {
  claimed: number;
}

export const claimTable = statement<ClaimTableParams, ClaimTableRow>(
  import.meta.url,
  "claim-table.sql",
  ["table", "now", "clearedBefore", "leaseUntil"],
);

export interface EndClaimParams {
  table: string;
  finishedAt: Date | null;
  oldestAt: Date | null;
}

export const endClaim = statement<EndClaimParams, object>(
  import.meta.url,
  "end-claim.sql",
  ["table", "finishedAt", "oldestAt"],
);

export interface ListMonthsParams {
  table: string;
  before: Date | null;
}

export interface ListMonthsRow {
  name: string;
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

export interface RenewClaimParams {
  table: string;
  leaseUntil: Date;
}

export const renewClaim = statement<RenewClaimParams, object>(
  import.meta.url,
  "renew-claim.sql",
  ["table", "leaseUntil"],
);

export interface TableSizesParams {
  tables: readonly string[];
}

export interface TableSizesRow {
  table: string;
  bytes: number;
  rows: number;
  finishedAt: Date | null;
  oldestAt: Date | null;
}

export const tableSizes = statement<TableSizesParams, TableSizesRow>(
  import.meta.url,
  "table-sizes.sql",
  ["tables"],
);

export const waitBriefly = statement<void, object>(
  import.meta.url,
  "wait-briefly.sql",
  [],
);
