import { addDays } from "../../platform/clock.ts";
import { type DayUsage, rowsOf, type Usage } from "./usage.ts";

/** A day of the month (UTC), and the rows that the month had used at its end; of today, until now. */
export interface QuotaDay {
  day: string;
  used: number;
}

/**
 * The rows used on each day of the month up to today, added up. A day has the month's rows minus those of later days, so that
 * today has the month's. `days` is the usage of at least the last FORECAST_DAYS days, which need not reach the first of the month.
 */
export function quotaByDay(
  today: string,
  { month_start, usage }: Pick<Usage, "month_start" | "usage">,
  days: readonly Pick<DayUsage, "day" | "apiRows" | "exportRows">[],
): QuotaDay[] {
  const byDay: QuotaDay[] = [];
  let used = usage.quota_rows;
  for (let day = today; day >= month_start; day = addDays(day, -1)) {
    // A refund counts on the day on which its export began, and an earlier export may have been charged the rows.
    byDay.unshift({ day, used: Math.max(0, used) });
    used -= days.filter((each) => each.day === day).reduce((sum, each) => sum + rowsOf(each), 0);
  }
  return byDay;
}
