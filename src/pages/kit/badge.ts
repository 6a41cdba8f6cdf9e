import { type Html, html } from "./html.ts";

/** What a colour says. `plain` says nothing. */
export type Tone = "good" | "warn" | "bad" | "info" | "plain";

/** A short word in a coloured shape. The word carries the meaning; the colour only repeats it. */
export const badge = (tone: Tone, word: Html | string): Html =>
  html`<span class="badge ${tone}">${word}</span>`;
