import { scaleLinear } from "d3-scale";
import { type Html, html } from "./html.ts";

const WIDTH = 120;
const HEIGHT = 28;

/**
 * A line without axes, the oldest value first. It only decorates: the page says the same in words, a chart or a table. The
 * line begins at zero, or at the least value where only the change matters.
 */
export function trendLine(values: readonly number[], from: "zero" | "least" = "zero"): Html {
  const across = scaleLinear([0, values.length - 1], [1, WIDTH - 1]);
  const least = Math.min(...values, ...(from === "zero" ? [0] : []));
  const most = Math.max(...values, ...(from === "zero" ? [1] : []));
  const up = scaleLinear([least, most], least === most ? [HEIGHT / 2, HEIGHT / 2] : [HEIGHT - 2, 2]);
  const points = values.map((value, index) => `${across(index).toFixed(1)},${up(value).toFixed(1)}`);
  return html`<svg class="trend" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true" preserveAspectRatio="none"><polyline points="${points.join(" ")}"/></svg>`;
}
