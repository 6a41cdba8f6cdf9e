import * as sql from "../../generated/sql/accounts/usage.ts";
import type { components } from "../../generated/types.ts";
import { addDays, dayNumber, dayOf, monthAfter, monthStartOf } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import { perDatabase } from "../../platform/database/per-database.ts";
import { groupLoader } from "../../platform/database/tick-loader.ts";
import { type Caller, DASHBOARD_KEY_ID } from "../keys/caller.ts";
import { type KeyMode, keyModeOf, keyPrefix } from "../keys/key-format.ts";
import { writeCounts } from "./usage-counter.ts";

/** The account's usage in the current month (UTC), and its plan's limits. */
export interface Usage {
  month_start: string;
  usage: { api_requests: number; api_rows: number; export_rows: number; quota_rows: number };
  limits: Required<components["schemas"]["UsageOut"]["limits"]>;
}

/** Rows are exact; requests to other processes may be missing for up to a second. */
export async function readUsage(context: Context, caller: Caller): Promise<Usage> {
  await writeCounts(context);
  const monthStart = monthStartOf(context.clock.now());
  const used = await context.db.prisma.usageMonth.findUnique({
    where: { accountId_month: { accountId: caller.accountId, month: new Date(monthStart) } },
  });
  return usageOf(caller, monthStart, {
    requests: Number(used?.apiRequests ?? 0),
    apiRows: Number(used?.apiRows ?? 0),
    exportRows: Number(used?.exportRows ?? 0),
    quotaRows: Number(used?.quotaRows ?? 0),
  });
}

const usageOf = (
  caller: Caller,
  monthStart: string,
  { requests, apiRows, exportRows, quotaRows }: Omit<MonthUsage, "month">,
): Usage => ({
  month_start: monthStart,
  usage: { api_requests: requests, api_rows: apiRows, export_rows: exportRows, quota_rows: quotaRows },
  limits: {
    api_rows_month: caller.rowsPerMonth,
    api_rpm: caller.requestsPerMinute,
    api_rows_left: Math.max(0, caller.rowsPerMonth - quotaRows),
    concurrent_exports: caller.concurrentExports,
    watched_carriers: caller.watchedCarriers,
  },
});

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
  await writeCounts(context);
  return sql.usageByDay(context.db.pool, {
    accountId,
    today: dayOf(context.clock.now()),
    days,
    dashboardName: DASHBOARD_NAME,
  });
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
  await writeCounts(context);
  return sql.usageByMonth(context.db.pool, { accountId, month: monthStartOf(context.clock.now()) });
}

/** The forecast goes on with the average of this many full days, */
const MOST_DAYS = 7;
/** and there is none when the account used its first rows fewer full days ago. */
const FEWEST_DAYS = 3;
/** The first rows are looked for in so many days up to today. */
export const FORECAST_DAYS = 30;

/** The rows of a month at its end, if the account goes on as in the last full days. */
export interface Forecast {
  rows: number;
  /** How many full days (UTC) the average is of. */
  averagedDays: number;
  /** The last day of the month. */
  until: string;
  /** The day on which the rows of the plan are used up; null if they last. */
  usedUpOn: string | null;
}

/**
 * Rows used so far, plus the average of the last full days for each day that is left; today counts as at least an average
 * day. `days` is the account's usage of the last FORECAST_DAYS days or more up to today, oldest first. Null with too little usage to tell, in a
 * plan without rows, and when all rows are used.
 */
export function forecastOf(
  today: string,
  { month_start, usage, limits }: Pick<Usage, "month_start" | "usage" | "limits">,
  days: readonly Pick<DayUsage, "day" | "apiRows" | "exportRows">[],
): Forecast | null {
  const limit = limits.api_rows_month;
  const left = limit - usage.quota_rows;
  const earliest = addDays(today, 1 - FORECAST_DAYS);
  const first = days.find((each) => each.day >= earliest && rowsOf(each) > 0)?.day ?? today;
  const averagedDays = Math.min(MOST_DAYS, dayNumber(today) - dayNumber(first));
  if (left <= 0 || averagedDays < FEWEST_DAYS) return null;
  const rowsSince = (from: string, to: string): number =>
    Math.max(
      0,
      days.filter(({ day }) => day >= from && day < to).reduce((sum, each) => sum + rowsOf(each), 0),
    );
  const average = rowsSince(addDays(today, -averagedDays), today) / averagedDays;
  const restOfToday = Math.max(0, average - rowsSince(today, addDays(today, 1)));
  const until = addDays(monthAfter(month_start), -1);
  const rows = Math.round(usage.quota_rows + restOfToday + average * (dayNumber(until) - dayNumber(today)));
  const usedUpOn =
    rows <= limit ? null : addDays(today, Math.max(0, Math.ceil((left - restOfToday) / average)));
  return { rows, averagedDays, until, usedUpOn };
}

type UsageOut = components["schemas"]["UsageOut"];
type KeyUsage = NonNullable<UsageOut["by_key"]>[number];

/** No month has more days. */
const MONTH_DAYS = 31;
/** The contract's limit. */
const MOST_KEYS = 1000;

/** The account's usage in the current month (UTC), where it leads, and which key used how much. */
export async function readUsageReport(context: Context, caller: Caller): Promise<UsageOut> {
  await writeCounts(context);
  const now = context.clock.now();
  const [monthStart, today] = [monthStartOf(now), dayOf(now)];
  const { days, ...month } = await reportsOf(context.db).load({
    accountId: caller.accountId,
    month: monthStart,
    today,
  });
  const usage = usageOf(caller, monthStart, month);
  return {
    ...usage,
    forecast: shown(forecastOf(today, usage, days)),
    by_key: usageByKey(usage, days, keyModeOf(context)),
  };
}

interface AskedReport {
  accountId: number;
  month: string;
  today: string;
}

// Requests of one event-loop turn and day share a statement.
const reportsOf = perDatabase((db) =>
  groupLoader<AskedReport, sql.UsageReportsRow>(
    ({ today }) => today,
    async (group) => {
      const [{ month, today }] = group;
      const rows = await sql.usageReports(db.pool, {
        accountIds: [...new Set(group.map(({ accountId }) => accountId))],
        month,
        today,
        days: Math.max(MONTH_DAYS, FORECAST_DAYS),
        dashboardName: DASHBOARD_NAME,
      });
      const byAccount = new Map(rows.map((row) => [row.accountId, row]));
      return ({ accountId }) => byAccount.get(accountId) ?? new Error(`No account ${accountId}`);
    },
  ),
);

const shown = (forecast: Forecast | null): NonNullable<UsageOut["forecast"]> | null =>
  forecast && {
    rows: forecast.rows,
    until: forecast.until,
    averaged_days: forecast.averagedDays,
    used_up_on: forecast.usedUpOn,
  };

/** The month's usage of each key that sent a request or got rows, most rows first. */
function usageByKey({ month_start }: Usage, days: readonly DayUsage[], mode: KeyMode): KeyUsage[] {
  const ofMonth = days.filter(({ day }) => day >= month_start);
  return [...Map.groupBy(ofMonth, ({ keyId }) => keyId).values()]
    .map((ofKey) => keyUsage(ofKey, mode))
    .sort((a, b) => b.api_rows + b.export_rows - (a.api_rows + a.export_rows) || b.requests - a.requests)
    .slice(0, MOST_KEYS);
}

function keyUsage(days: readonly DayUsage[], mode: KeyMode): KeyUsage {
  const [{ keyId, keyName } = { keyId: DASHBOARD_KEY_ID, keyName: "" }] = days;
  const isKey = keyId !== DASHBOARD_KEY_ID;
  // A key whose export ends last gets the refund, also of rows that another key was charged.
  const sumOf = (of: (day: DayUsage) => number) =>
    Math.max(
      0,
      days.reduce((sum, day) => sum + of(day), 0),
    );
  return {
    key_id: isKey ? keyId : null,
    prefix: isKey ? keyPrefix(keyId, mode) : null,
    name: keyName,
    requests: sumOf(({ requests }) => requests),
    errors: sumOf(({ errors }) => errors),
    refused: sumOf(({ refused }) => refused),
    api_rows: sumOf(({ apiRows }) => apiRows),
    export_rows: sumOf(({ exportRows }) => exportRows),
  };
}
