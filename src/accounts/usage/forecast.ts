import { addDays, dayNumber, monthAfter } from "../../platform/clock.ts";
import type { Usage } from "./usage.ts";
import { type DayUsage, rowsOf } from "./usage-history.ts";

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
