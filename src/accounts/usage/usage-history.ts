import { dayOf } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import { monthStartOf } from "./months.ts";
import { flushUsage } from "./usage-counter.ts";

/** What a key was used for on a day of UTC. */
export interface DayUsage {
  day: string;
  keyId: string;
  /** The key's name; Dashboard for what was read there. */
  keyName: string;
  requests: number;
  apiRows: number;
  exportRows: number;
}

/** The account's usage of the last `days` days up to today, by day and key; days without any are left out. */
export async function usageByDay(context: Context, accountId: number, days: number): Promise<DayUsage[]> {
  await flushUsage(context);
  const { rows } = await context.db.pool.query<DayUsage>(
    `SELECT day, key_id AS "keyId", coalesce(api_key.name, $4) AS "keyName",
            api_requests AS requests, api_rows AS "apiRows", export_rows AS "exportRows"
     FROM usage_day LEFT JOIN api_key ON api_key.id = key_id
     WHERE usage_day.account_id = $1 AND day > $2::date - $3::int AND day <= $2::date
     ORDER BY day, key_id`,
    [accountId, dayOf(context.clock.now()), days, DASHBOARD_NAME],
  );
  return rows;
}

const DASHBOARD_NAME = "Dashboard";

/** What an account used in a month of UTC. */
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
  const { rows } = await context.db.pool.query<MonthUsage>(
    `SELECT month, api_requests AS requests, api_rows AS "apiRows", export_rows AS "exportRows",
            quota_rows AS "quotaRows"
     FROM usage_month
     WHERE account_id = $1 AND month > $2::date - interval '12 months' AND month <= $2::date
     ORDER BY month DESC`,
    [accountId, monthStartOf(context.clock.now())],
  );
  return rows;
}
