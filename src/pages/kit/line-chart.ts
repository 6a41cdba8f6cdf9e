import { scaleLinear, scalePoint } from "d3-scale";
import { shownCount } from "../../platform/plural.ts";
import { EDGE, grid, isNamed, SIZES, TICKS } from "./axes.ts";
import { type Html, html } from "./html.ts";

export interface LineChart {
  title: string;
  /** The names of the points, usually days, the oldest first, and their values. */
  points: readonly { name: string; value: number }[];
}

/**
 * A line with axes, drawn on the server. Its axis begins at zero, so that its height tells the size. The page says the same
 * figures in a table.
 */
export function lineChart({ title, points }: LineChart): Html {
  const [first, last] = [points[0], points.at(-1)];
  const caption =
    first && last
      ? `${title}: ${shownCount(first.value)} on ${first.name}, ${shownCount(last.value)} on ${last.name}`
      : `${title}: none`;
  return html`<figure class="chart">
<figcaption><strong>${title}</strong></figcaption>
${SIZES.map(([size, { whole: width }, height]) => {
  const names = points.map(({ name }) => name);
  const across = scalePoint(names, [EDGE.left, width - EDGE.right]).padding(0.5);
  const most = Math.max(...points.map(({ value }) => value), 1);
  const up = scaleLinear([0, most], [height - EDGE.bottom, EDGE.top]).nice(TICKS);
  const at = ({ name, value }: LineChart["points"][number]) => ({
    x: (across(name) ?? 0).toFixed(1),
    y: up(value).toFixed(1),
  });
  return html`<svg class="${size}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${caption}">
${grid(up, width)}<polyline class="line" points="${points.map((point) => `${at(point).x},${at(point).y}`).join(" ")}"/>
${points.map((point, index) => {
  const { x, y } = at(point);
  return html`<circle class="accent" cx="${x}" cy="${y}" r="3"><title>${point.name}: ${shownCount(point.value)}</title></circle>${isNamed({ index, count: points.length, step: across.step() }) && html`<text class="tick" x="${x}" y="${height - 8}" text-anchor="middle">${point.name}</text>`}
`;
})}</svg>
`;
})}</figure>
`;
}
