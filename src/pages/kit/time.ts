import { DAY_MS, HOUR_MS } from "../../platform/clock.ts";
import type { EntryContext } from "../../platform/context.ts";
import { type Html, html } from "./html.ts";

/**
 * A time in UTC, to the minute unless seconds count. A dash for none. The frame of the page writes how long ago it is before
 * it, and the page's script shows it in the zone that the reader has chosen.
 */
export function shownTime(iso: string | null | undefined, to: "minute" | "second" = "minute"): Html {
  if (!iso) return html`–`;
  const time = iso.slice(11, to === "minute" ? 16 : 19);
  return html`<time data-instant="${to}" datetime="${iso}" title="${iso}"><span class="exact">${iso.slice(0, 10)} ${time}</span></time>`;
}

const TIME = /<time data-instant="[a-z]+" datetime="([^"]+)"[^>]*>/g;
const STEPS = [
  ["day", DAY_MS],
  ["hour", HOUR_MS],
  ["minute", 60_000],
] as const;
const RELATIVE = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** Writes how long ago each time of a page is: a script that did so later would move what stands around it. */
export const withRelativeTimes = (page: string, now: Date): string =>
  page.replace(TIME, (tag, iso: string) => `${tag}${fromNow(Date.parse(iso), now.getTime())} `);

/** `3 hours ago`, `in 7 days`. Days are those of the calendar (UTC): 30 hours before a morning are not yesterday. */
function fromNow(atMs: number, nowMs: number): string {
  const gapMs = atMs - nowMs;
  const [unit, length] = STEPS.find(([, size]) => Math.abs(gapMs) >= size) ?? [];
  if (unit === undefined) return "just now";
  const days = Math.floor(atMs / DAY_MS) - Math.floor(nowMs / DAY_MS);
  return RELATIVE.format(unit === "day" ? days : Math.round(gapMs / length), unit);
}

/** When something is to happen: what should have happened is due now. */
export const shownDue = ({ clock }: Pick<EntryContext, "clock">, iso: string): Html | string =>
  Date.parse(iso) <= clock.now().getTime() ? "due now" : shownTime(iso);
