import { DAY_MS } from "./clock.ts";

const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });

/** A day (YYYY-MM-DD) of this month or one near it, as `30 November`. */
export const shownDay = (day: string): string => DAY.format(Date.parse(`${day}T00:00:00Z`));

const DATE = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});

/** Days that are further from today than this have their year. */
const NEAR_MS = 180 * DAY_MS;

/** Any day (YYYY-MM-DD): as shownDay when it is near `today`, else as `3 November 2019`. */
export function shownDate(day: string, today: string): string {
  const ms = Date.parse(day);
  return Math.abs(ms - Date.parse(today)) > NEAR_MS ? DATE.format(ms) : shownDay(day);
}
