import { dayOf, monthStartOf } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import * as sql from "./statements.ts";
import { flushUsage } from "./usage-counter.ts";

/** The usage of a key on a day (UTC). */
export interface DayUsage {
  day: string;
  keyId: string;
  /** The key's name; Dashboard for reads in the dashboard. */
  keyName: string;
  requests: number;
  /** Requests among them that were answered with an error (4xx or 5xx). */
  errors: number;
  /** Requests that the rate limit or an unknown address refused. They are not among `requests`. */
  refused: number;
  apiRows: number;
  exportRows: number;
}

/** Rows used in API answers and in exports. */
export const rowsOf = ({ apiRows, exportRows }: Pick<DayUsage, "apiRows" | "exportRows">): number =>
  apiRows + exportRows;

/** The account's usage of the last `days` days up to today, by day and key, without days of no usage. */
export async function usageByDay(context: Context, accountId: number, days: number): Promise<DayUsage[]> {
  await flushUsage(context);
  const { rows } = await sql.usageByDay.run(context.db.pool, {
    accountId,
    today: dayOf(context.clock.now()),
    days,
    dashboardName: DASHBOARD_NAME,
  });
  return rows;
}

const DASHBOARD_NAME = "Dashboard";

/** The usage of an account in a month (UTC). */
export interface MonthUsage {
  /** First day of the month. */
  month: string;
  requests: number;
  apiRows: number;
  exportRows: number;
  quotaRows: number;
}

/** The account's last twelve months with any usage, newest first. */
export async function usageByMonth(context: Context, accountId: number): Promise<MonthUsage[]> {
  await flushUsage(context);
  const { rows } = await sql.usageByMonth.run(context.db.pool, {
    accountId,
    month: monthStartOf(context.clock.now()),
  });
  return rows;
}
