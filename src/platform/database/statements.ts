// Written by `npm run generate:sql` from the .sql files of this folder. Don't edit it.
import { statement } from "./statement.ts";

export interface CountAppliedMigrationsParams {
  names: readonly string[];
}

export interface CountAppliedMigrationsRow {
  applied: number;
}

export const countAppliedMigrations = statement<CountAppliedMigrationsParams, CountAppliedMigrationsRow>(
  import.meta.url,
  "count-applied-migrations.sql",
  ["names"],
);

export interface ReadClockRow {
  now: Date;
}

export const readClock = statement<void, ReadClockRow>(
  import.meta.url,
  "read-clock.sql",
  [],
);

export interface ReadSessionRow {
  timeZone: string;
  role: string;
  processId: number;
  statementTimeoutMs: number;
}

export const readSession = statement<void, ReadSessionRow>(
  import.meta.url,
  "read-session.sql",
  [],
);
