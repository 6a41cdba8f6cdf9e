import { type Html, html } from "./html.ts";

/** What a colour says. `plain` says nothing. */
export type Tone = "good" | "warn" | "bad" | "info" | "plain";

/** A short word in a coloured shape. The word carries the meaning; the colour only repeats it. */
export const badge = (tone: Tone, word: Html | string): Html =>
  html`<span class="badge ${tone}">${word}</span>`;

/** Whether data are fresh enough to be served. */
export const freshnessBadge = {
  fresh: badge("good", "fresh"),
  stale: badge("bad", "stale, not served"),
  "not live": badge("plain", "not live yet"),
} as const;

/** The same of a feed: whether it is served, and the day of its data, if it has any. */
export const servedBadge = (isServed: boolean, asOf: string | null): Html =>
  freshnessBadge[isServed ? "fresh" : asOf === null ? "not live" : "stale"];
