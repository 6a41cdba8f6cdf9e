// Written by `npm run generate:sql` from the .sql files of this folder. Don't edit it.
import { statement } from "../platform/database/statement.ts";
import type { TableColumns, PartitionOf } from "./backup-format.ts";

export interface AppliedMigrationsRow {
  name: string;
  checksum: string;
}

export const appliedMigrations = statement<void, AppliedMigrationsRow>(
  import.meta.url,
  "applied-migrations.sql",
  [],
);

export interface CountSessionsParams {
  application: string;
}

export interface CountSessionsRow {
  count: number;
}

export const countSessions = statement<CountSessionsParams, CountSessionsRow>(
  import.meta.url,
  "count-sessions.sql",
  ["application"],
);

export interface DropCommandsRow {
  command: string;
}

export const dropCommands = statement<void, DropCommandsRow>(
  import.meta.url,
  "drop-commands.sql",
  [],
);

export interface HasLedgerRow {
  ours: boolean;
  used: boolean;
}

export const hasLedger = statement<void, HasLedgerRow>(
  import.meta.url,
  "has-ledger.sql",
  [],
);

export interface ListSequencesRow {
  name: string;
  value: number;
}

export const listSequences = statement<void, ListSequencesRow>(
  import.meta.url,
  "list-sequences.sql",
  [],
);

export interface ListTablesRow {
  name: string;
  columns: TableColumns;
  constraints: string[];
  indexes: string[];
  options: string[] | null;
  partition_of: PartitionOf | null;
}

export const listTables = statement<void, ListTablesRow>(
  import.meta.url,
  "list-tables.sql",
  [],
);

export const prepareRestore = statement<void, object>(
  import.meta.url,
  "prepare-restore.sql",
  [],
);

export interface SetSequenceParams {
  name: string;
  value: number;
}

export interface SetSequenceRow {
  value: number;
}

export const setSequence = statement<SetSequenceParams, SetSequenceRow>(
  import.meta.url,
  "set-sequence.sql",
  ["name", "value"],
);

export interface SlowPartsRow {
  remove: string;
  restore: string;
}

export const slowParts = statement<void, SlowPartsRow>(
  import.meta.url,
  "slow-parts.sql",
  [],
);
