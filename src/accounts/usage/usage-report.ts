import type { components } from "../../generated/types.ts";
import { dayOf } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import { DASHBOARD_KEY_ID } from "../keys/account-caller.ts";
import type { Caller } from "../keys/caller.ts";
import { keyPrefix } from "../keys/key-format.ts";
import { FORECAST_DAYS, type Forecast, forecastOf } from "./forecast.ts";
import { readUsage, type Usage } from "./usage.ts";
import { type DayUsage, usageByDay } from "./usage-history.ts";

type UsageOut = components["schemas"]["UsageOut"];
type KeyUsage = NonNullable<UsageOut["by_key"]>[number];

/** No month has more days. */
const MONTH_DAYS = 31;
/** The contract's limit. */
const MOST_KEYS = 1000;

/** The account's usage in the current month (UTC), where it leads, and which key used how much. */
export async function readUsageReport(context: Context, caller: Caller): Promise<UsageOut> {
  const usage = await readUsage(context, caller);
  const today = dayOf(context.clock.now());
  const days = await usageByDay(context, caller.accountId, Math.max(MONTH_DAYS, FORECAST_DAYS));
  return { ...usage, forecast: shown(forecastOf(today, usage, days)), by_key: usageByKey(usage, days) };
}

const shown = (forecast: Forecast | null): NonNullable<UsageOut["forecast"]> | null =>
  forecast && {
    rows: forecast.rows,
    until: forecast.until,
    averaged_days: forecast.averagedDays,
    used_up_on: forecast.usedUpOn,
  };

/** The month's usage of each key that sent a request or got rows, most rows first. */
function usageByKey({ month_start }: Usage, days: readonly DayUsage[]): KeyUsage[] {
  const ofMonth = days.filter(({ day }) => day >= month_start);
  return [...Map.groupBy(ofMonth, ({ keyId }) => keyId).values()]
    .map(keyUsage)
    .sort((a, b) => b.api_rows + b.export_rows - (a.api_rows + a.export_rows) || b.requests - a.requests)
    .slice(0, MOST_KEYS);
}

function keyUsage(days: readonly DayUsage[]): KeyUsage {
  const [{ keyId, keyName } = { keyId: DASHBOARD_KEY_ID, keyName: "" }] = days;
  const isKey = keyId !== DASHBOARD_KEY_ID;
  // Rows that were given back for an export of the month before may be more than those of this month.
  const sumOf = (of: (day: DayUsage) => number) =>
    Math.max(
      0,
      days.reduce((sum, day) => sum + of(day), 0),
    );
  return {
    key_id: isKey ? keyId : null,
    prefix: isKey ? keyPrefix(keyId) : null,
    name: keyName,
    requests: sumOf(({ requests }) => requests),
    errors: sumOf(({ errors }) => errors),
    refused: sumOf(({ refused }) => refused),
    api_rows: sumOf(({ apiRows }) => apiRows),
    export_rows: sumOf(({ exportRows }) => exportRows),
  };
}
