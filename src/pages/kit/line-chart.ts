import { type ScaleLinear, type ScalePoint, scaleLinear, scalePoint } from "d3-scale";
import { shownCount } from "../../platform/plural.ts";
import { EDGE, grid, isNamed, openKey, openName, SIZES, TICKS } from "./axes.ts";
import { type Html, html } from "./html.ts";

interface Point {
  name: string;
  value: number;
}

interface Line {
  /** Its name in the legend. */
  name: string;
  tone: "accent" | "soft" | "warn";
  /** It is not certain yet, such as a forecast. */
  isDashed?: boolean;
  /** The point of another line that this one goes on from. */
  from?: Point | undefined;
  points: readonly Point[];
}

export interface LineChart {
  title: string;
  /** The names along the axis, usually days, the oldest first. The points have names of these. */
  names: readonly string[];
  lines: readonly Line[];
  /** What the chart shows, for people who cannot see it. */
  caption: string;
  /** The name of the last day, while it is not over: the lines are dashed there. */
  open?: string | undefined;
  /** A value that stands across the chart with its name. */
  limit?: Point;
  /** How a value is written; with separators unless given. */
  shown?: (value: number) => string;
  /** On a desk it has half of the page, beside another chart. */
  isHalf?: boolean;
  /** The table of the same figures, below the chart in its frame. */
  after?: Html;
}

/**
 * Lines with axes, drawn on the server. The axis begins at zero, so that the height tells the size. The page says the same
 * figures in a table, in the frame of the chart or below.
 */
export function lineChart(chart: LineChart): Html {
  const { title, names, lines, caption, limit, isHalf, after, open } = chart;
  const values = [...lines.flatMap(({ points }) => points), ...(limit ? [limit] : [])].map(
    ({ value }) => value,
  );
  return html`<figure class="chart">
<figcaption><strong>${title}</strong>${(lines.length > 1 || open) && html` <span class="legend">${lines.length > 1 && lines.map(({ name, tone, isDashed }) => html`<span class="key line ${tone}${isDashed && " dashed"}">${name}</span>`)}${open && openKey("ring")}</span>`}</figcaption>
${SIZES.map(([size, { whole, half }, height]) => {
  const width = isHalf ? half : whole;
  const across = scalePoint([...names], [EDGE.left, width - EDGE.right]).padding(0.5);
  const up = scaleLinear([0, Math.max(...values, 1)], [height - EDGE.bottom, EDGE.top]).nice(TICKS);
  return html`<svg class="${size}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${caption}">
${grid(up, width)}${limit && limitLine(limit, { chart, up, width })}${lines.map((line) => drawn(line, { chart, across, up }))}
${names.map((name, index) => isNamed({ index, count: names.length, step: across.step() }) && html`<text class="tick" x="${across(name)?.toFixed(1)}" y="${height - 8}" text-anchor="middle">${name}</text>`)}</svg>
`;
})}${after}</figure>
`;
}

const written = ({ shown = shownCount }: LineChart, value: number): string => shown(value);

const limitLine = (
  { name, value }: Point,
  { chart, up, width }: { chart: LineChart; up: ScaleLinear<number, number>; width: number },
): Html => html`<line class="limit" x1="${EDGE.left}" x2="${width - EDGE.right}" y1="${up(value).toFixed(1)}" y2="${up(value).toFixed(1)}"/><text class="limit" x="${EDGE.left + 6}" y="${(up(value) + 15).toFixed(1)}">${name}: ${written(chart, value)}</text>
`;

function drawn(
  { name, tone, isDashed, from, points }: Line,
  { chart, across, up }: { chart: LineChart; across: ScalePoint<string>; up: ScaleLinear<number, number> },
): Html {
  const at = (point: Point) => ({ x: (across(point.name) ?? 0).toFixed(1), y: up(point.value).toFixed(1) });
  const line = (look: string, ends: readonly Point[]) =>
    html`<polyline class="line ${look}" points="${ends.map((point) => `${at(point).x},${at(point).y}`).join(" ")}"/>
`;
  const isOpen = (point: Point) => isDashed || point.name === chart.open;
  const lookOf = (isUncertain: boolean | undefined) => `${tone}${isUncertain ? " dashed" : ""}`;
  const certain = points.filter((point) => !isOpen(point));
  const open = points.filter(isOpen);
  const before = certain.at(-1) ?? from;
  return html`${certain.length > 1 && line(lookOf(false), certain)}${open.length > 0 && line(lookOf(true), before ? [before, ...open] : open)}${points.map(
    (
      point,
    ) => html`<circle class="${lookOf(isOpen(point))}" cx="${at(point).x}" cy="${at(point).y}" r="3"><title>${point.name === chart.open ? openName(point.name) : point.name}: ${written(chart, point.value)}${chart.lines.length > 1 && ` ${name}`}</title></circle>
`,
  )}`;
}
