import type { PlainRecord } from "./checkpoint.ts";
import { volatileColumns } from "./generated/volatile.ts";

/** The days of a version from which the volatile columns of its records follow, as pages, changes and versions give them. */
export interface VersionDays {
  as_of: string | null;
  /** Absent in answers of a service before 1.1: its values then stay as they are. */
  verified_on?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * The record as a version with these days has it: with `last_verified` and `days_in_business` of the version, which are no
 * change of the record.
 */
export function refreshRecord<Row extends object>(record: Row, days: VersionDays): Row {
  const plain = record as PlainRecord;
  const fresh: Record<string, unknown> = {};
  for (const [name, rule] of Object.entries(volatileColumns)) {
    const value =
      "verified_on" in rule ? dayOf(plain, rule.verified_on, days) : daysOf(plain, rule.days_since, days);
    if (name in record && value !== undefined) fresh[name] = value;
  }
  return { ...record, ...fresh };
}

const dayOf = (record: PlainRecord, column: string, { verified_on }: VersionDays): unknown =>
  verified_on?.[String(record[column])];

const DAY_MS = 86_400_000;

function daysOf(record: PlainRecord, column: string, { as_of }: VersionDays): number | null | undefined {
  const since = record[column];
  if (since === undefined || as_of === null) return undefined;
  return since === null ? null : (Date.parse(as_of) - Date.parse(String(since))) / DAY_MS;
}
