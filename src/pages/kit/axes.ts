// What charts with axes have in common: their sizes, the lines across them, and which names stand below.
import type { ScaleLinear } from "d3-scale";
import { type Html, html } from "./html.ts";

/** A chart is drawn for a desk and for a phone, so that its letters have a readable size on both. The page shows one. */
export const SIZES = [
  ["wide", { whole: 720, half: 500 }, 220],
  ["narrow", { whole: 340, half: 340 }, 200],
] as const;
/** The room around the drawing, for what the axes say. */
export const EDGE = { top: 12, right: 36, bottom: 26, left: 48 };
/** About as many values as an axis names. */
export const TICKS = 4;
/** The least width of a name below, in the units of the drawing. */
const NAME_WIDTH = 80;

/** Lines across a chart with their values at the left. Below the line of zero the values count as those above. */
export const grid = (up: ScaleLinear<number, number>, width: number): Html[] =>
  up
    .ticks(TICKS)
    .filter(Number.isInteger)
    .map(
      (
        tick,
      ) => html`<line class="grid${tick === 0 && " zero"}" x1="${EDGE.left}" x2="${width - EDGE.right}" y1="${up(tick)}" y2="${up(tick)}"/><text class="tick" x="${EDGE.left - 6}" y="${up(tick) + 4}" text-anchor="end">${short(Math.abs(tick))}</text>
`,
    );

/** Whether there is room for the name of one of `count` bars or points, `step` apart. The last one has it. */
export const isNamed = ({ index, count, step }: { index: number; count: number; step: number }): boolean =>
  (count - 1 - index) % Math.max(1, Math.ceil(NAME_WIDTH / Math.max(1, step))) === 0;

const COMPACT = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });

/** A number where there is little room: 1.2M, 30K. */
export const short = (value: number): string => COMPACT.format(value);

/** The name of a day whose time is not over, so that its values may still grow. */
export const openName = (name: string): string => `${name} so far`;

/** The entry of a legend that says how the last day is drawn, because it is not over. `look` is that of its mark. */
export const openKey = (look: string): Html => html`<span class="key ${look}">today so far</span>`;

/** The frame of a chart whose values are all zero: a sentence says so. */
export const emptyChart = (title: string, none: string): Html => html`<figure class="chart">
<figcaption><strong>${title}</strong></figcaption>
<p class="hint">${none}</p>
</figure>
`;
