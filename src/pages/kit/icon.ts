import { type Html, html } from "./html.ts";

/** Strokes on a grid of 24 by 24. */
const STROKES = {
  overview: "M4 4h7v7H4zM13 4h7v4h-7zM13 11h7v9h-7zM4 14h7v6H4z",
  feeds: "M4 6h16M4 12h16M4 18h10",
  events: "M3 12h4l3-8 4 16 3-8h4",
  watchlists: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
  webhooks: "M4 8h13l-4-4M20 16H7l4 4",
  keys: "M8 12a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM11 13l9-9M16 8l3 3",
  usage: "M4 20V10M10 20V4M16 20v-7M22 20H2",
  people: "M9 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM2 21c0-4 3-7 7-7s7 3 7 7M16 4a4 4 0 0 1 0 7M19 15c2 1 3 3 3 6",
} as const;

export type IconName = keyof typeof STROKES;

/** A picture beside a word that says the same, so it has no name of its own. */
export const icon = (name: IconName): Html =>
  html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${STROKES[name]}"/></svg>`;
