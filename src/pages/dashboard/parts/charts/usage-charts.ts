import { type DayUsage, FORECAST_DAYS } from "../../../../accounts/usage/usage.ts";
import { lastDays } from "../../../../platform/clock.ts";
import { barChart, type Chart } from "../../../kit/chart.ts";
import type { Html } from "../../../kit/html.ts";

/** How many days the charts show, and the forecast beside them looks back. */
export const DAYS_SHOWN = FORECAST_DAYS;

/** What of the usage a chart shows. */
interface Shown {
  days: readonly DayUsage[];
  /** The last day of the chart. */
  today: string;
  isHalf?: boolean;
}

/** Every request of a key, also requests that the rate limit or an unknown address refused. */
export const sentRequests = ({ requests, refused }: DayUsage): number => requests + refused;

/** Requests that were answered with an error. */
export const errorsOf = ({ errors, refused }: DayUsage): number => errors + refused;

/** The sum of a measure on each day that charts show, the oldest first. */
export const byDay = (
  days: readonly DayUsage[],
  today: string,
  measure: (usage: DayUsage) => number,
): number[] => {
  const ofDay = Map.groupBy(days, ({ day }) => day);
  return shownDays(today).map((day) =>
    (ofDay.get(day) ?? []).reduce((sum, usage) => sum + measure(usage), 0),
  );
};

const shownDays = (today: string): string[] => lastDays(today, DAYS_SHOWN);

/** Rows used by day, in API answers and exports. Without API access, all of them are of exports. */
export const rowsChart = (shown: Shown & { hasApiAccess: boolean }): Html =>
  chartOf(shown, { title: "Rows", none: "No row was used." }, [
    ...(shown.hasApiAccess
      ? [{ name: "API rows", tone: "accent" as const, measure: ({ apiRows }: DayUsage) => apiRows }]
      : []),
    {
      name: "export rows",
      tone: shown.hasApiAccess ? "soft" : "accent",
      measure: ({ exportRows }) => exportRows,
    },
  ]);

/** Requests by day, with the number answered with an error. */
export const requestsChart = (shown: Shown): Html =>
  chartOf(shown, { title: "Requests", none: "No request was sent." }, [
    { name: "succeeded", tone: "accent", measure: (usage) => usage.requests - usage.errors },
    { name: "errors", tone: "bad", measure: errorsOf },
  ]);

type Series = Chart["series"][number] & { measure: (usage: DayUsage) => number };

function chartOf(
  { days, today, isHalf = false }: Shown,
  words: Pick<Chart, "title" | "none">,
  series: readonly Series[],
): Html {
  // A refund counts on the day on which its export began, which may have fewer rows than were refunded.
  const values = series.map(({ measure }) => byDay(days, today, measure).map((value) => Math.max(0, value)));
  return barChart({
    ...words,
    nameOfBars: "Day",
    isHalf,
    series,
    bars: shownDays(today).map((name, index) => ({
      name,
      values: values.map((each) => each[index] ?? 0),
      isOpen: name === today,
    })),
  });
}
