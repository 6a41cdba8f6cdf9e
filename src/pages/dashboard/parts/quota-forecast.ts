import type { Forecast } from "../../../accounts/usage/usage.ts";
import { countOf, shownCount } from "../../../platform/plural.ts";
import { shownDay } from "../../../platform/shown-day.ts";

/** `At this pace about 640,000 by 30 November.` A forecast is no more exact than three digits. */
export const shownForecast = ({ rows, until }: Forecast): string =>
  `At this pace about ${shownCount(Number(rows.toPrecision(3)))} by ${shownDay(until)}.`;

/** How the forecast is made, for people who decide by it. */
export const forecastBasis = ({ averagedDays }: Forecast): string =>
  `The pace is the average of the last ${countOf(averagedDays, "full day")} (UTC).`;
