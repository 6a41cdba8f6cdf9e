import { DAY_MS } from "../../platform/clock.ts";
import type { EntryContext } from "../../platform/context.ts";
import { type Html, html } from "./html.ts";

/**
 * A time in UTC, to the minute unless seconds count. A dash for none. The page's script writes the relative time before it, and shows the exact
 * one in the zone that the reader has chosen.
 */
export function shownTime(iso: string | null | undefined, to: "minute" | "second" = "minute"): Html {
  if (!iso) return html`–`;
  const time = iso.slice(11, to === "minute" ? 16 : 19);
  return html`<time data-instant="${to}" datetime="${iso}" title="${iso}">${iso.slice(0, 10)} ${time}</time>`;
}

/** When something is to happen: what should have happened is due now. */
export const shownDue = ({ clock }: Pick<EntryContext, "clock">, iso: string): Html | string =>
  Date.parse(iso) <= clock.now().getTime() ? "due now" : shownTime(iso);

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
