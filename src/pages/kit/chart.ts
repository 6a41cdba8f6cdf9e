import { scaleBand, scaleLinear } from "d3-scale";
import { shownCount } from "../../platform/plural.ts";
import { EDGE, emptyChart, grid, isNamed, openKey, openName, SIZES, TICKS } from "./axes.ts";
import { type Html, html } from "./html.ts";
import { table } from "./table.ts";

/** One bar: its name (usually a day), and its values, one for each series. */
interface Bar {
  name: string;
  values: readonly number[];
  /** Its time is not over, so that its values may still grow. */
  isOpen?: boolean;
}

const fullName = ({ name, isOpen }: Bar): string => (isOpen ? openName(name) : name);

interface Series {
  name: string;
  tone: "accent" | "bad" | "good" | "soft" | "warn";
  /** What was taken away: its bars hang below the line of zero. */
  isBelow?: boolean;
}

export interface Chart {
  title: string;
  /** The names of the series, in the order of the values. They lie on top of each other in one bar. */
  series: readonly Series[];
  bars: readonly Bar[];
  /** What the names of the bars are: the head of the first column of the table. */
  nameOfBars: string;
  /** The sentence in the place of a chart whose values are all zero. */
  none: string;
  /** How a value is written; with separators unless given. */
  shown?: (value: number) => string;
  /** On a desk it has half of the page, beside another chart. */
  isHalf?: boolean;
}

/**
 * A bar chart with axes, drawn on the server. A bar shows its values at the pointer or finger. The same figures follow as
 * a table, for people who cannot see the chart.
 */
export function barChart(chart: Chart): Html {
  const { title, series, bars, nameOfBars, none, shown = shownCount, isHalf = false } = chart;
  if (bars.every(({ values }) => values.every((value) => value === 0))) return emptyChart(title, none);
  const caption = captionOf({ ...chart, shown });
  const hasOpen = bars.some(({ isOpen }) => isOpen);
  return html`<figure class="chart">
<figcaption><strong>${title}</strong>${(series.length > 1 || hasOpen) && html` <span class="legend">${series.length > 1 && series.map(({ name, tone }) => html`<span class="key ${tone}">${name}</span>`)}${hasOpen && openKey(`open ${series[0]?.tone}`)}</span>`}</figcaption>
${SIZES.map(([name, { whole, half }, height]) => drawing({ ...chart, shown }, { name, width: isHalf ? half : whole, height, caption }))}
<details>
<summary>${title} as a table</summary>
${table({
  label: title,
  rows: bars,
  columns: [
    { head: nameOfBars, cell: fullName },
    ...series.map(({ name }, index) => ({
      head: name,
      isNumber: true,
      cell: (bar: Bar) => shown(bar.values[index] ?? 0),
    })),
  ],
})}</details>
</figure>
`;
}

const sumOf = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** What the chart shows, for people who cannot see it. */
function captionOf({ title, series, bars, shown = shownCount }: Chart): string {
  const total = sumOf(bars.flatMap(({ values }) => values));
  if (series.some(({ isBelow }) => isBelow)) {
    const sums = series.map(
      ({ name }, index) => `${shown(sumOf(bars.map(({ values }) => values[index] ?? 0)))} ${name}`,
    );
    return `${title}: ${sums.join(", ")}`;
  }
  const peak = bars.reduce((highest, bar) => (sumOf(bar.values) > sumOf(highest.values) ? bar : highest));
  return `${title}: ${shown(total)} in total, most on ${peak.name}: ${shown(sumOf(peak.values))}`;
}

/** Few bars do not fill the chart like walls. */
const MOST_THICK = 48;

interface Size {
  name: string;
  width: number;
  height: number;
  caption: string;
}

function drawing(
  { series, bars, shown }: Pick<Required<Chart>, "series" | "bars" | "shown">,
  { name, width, height, caption }: Size,
): Html {
  const most = (isBelow: boolean) =>
    Math.max(
      0,
      ...bars.map(({ values }) =>
        sumOf(values.filter((_, at) => (series[at]?.isBelow ?? false) === isBelow)),
      ),
    );
  const across = scaleBand(
    bars.map((bar) => bar.name),
    [EDGE.left, width - EDGE.right],
  ).padding(0.25);
  const up = scaleLinear([-most(true), Math.max(most(false), 1)], [height - EDGE.bottom, EDGE.top]).nice(
    TICKS,
  );
  const thick = Math.min(across.bandwidth(), MOST_THICK);
  return html`<svg class="${name}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${caption}">
${grid(up, width)}${bars.map((bar, index) => {
  const left = across(bar.name) ?? 0;
  return html`<g class="bar${bar.isOpen && " open"}" tabindex="-1"><rect class="reach" x="${(left - (across.step() - across.bandwidth()) / 2).toFixed(1)}" y="${EDGE.top}" width="${across.step().toFixed(1)}" height="${height - EDGE.bottom - EDGE.top}"/>${stacked(bar, { left: left + (across.bandwidth() - thick) / 2, width: thick, up, series })}${valueShown({ bar, series, shown }, { at: left + across.bandwidth() / 2, width })}</g>${isNamed({ index, count: bars.length, step: across.step() }) && html`<text class="tick" x="${(left + across.bandwidth() / 2).toFixed(1)}" y="${height - 8}" text-anchor="middle">${bar.name}</text>`}
`;
})}</svg>
`;
}

function stacked(
  { values }: Bar,
  {
    left,
    width,
    up,
    series,
  }: { left: number; width: number; up: (value: number) => number; series: readonly Series[] },
): Html[] {
  const ends = { above: 0, below: 0 };
  return values.map((value, index) => {
    const side = series[index]?.isBelow ? "below" : "above";
    const from = ends[side];
    ends[side] += side === "below" ? -value : value;
    const [top, bottom] = [up(Math.max(from, ends[side])), up(Math.min(from, ends[side]))];
    const height = bottom - top;
    return html`<rect class="${series[index]?.tone}" x="${left.toFixed(1)}" y="${top.toFixed(1)}" width="${width.toFixed(1)}" height="${Math.max(value > 0 ? 1 : 0, height).toFixed(1)}"/>`;
  });
}

/** The room for the longest name of a series with its value, in the units of the drawing. */
const LONG_NAME = 325;

/** The values of a bar, shown while the pointer or the focus is on it. */
function valueShown(
  { bar, series, shown }: { bar: Bar; series: Chart["series"]; shown: (value: number) => string },
  { at, width }: { at: number; width: number },
): Html {
  const words = bar.values.map((value, index) =>
    series.length > 1 ? `${shown(value)} ${series[index]?.name}` : shown(value),
  );
  // Many values have a line each, at the left, where there is room for long names.
  if (words.length > 2) {
    const x = Math.min(EDGE.left + 4, width - LONG_NAME);
    return html`<text class="shown" x="${x}" y="${EDGE.top + 2}">${fullName(bar)}:${words.map((word) => html`<tspan x="${x}" dy="16"> ${word}</tspan>`)}</text>`;
  }
  const isRight = at > width / 2;
  return html`<text class="shown" x="${at.toFixed(1)}" y="${EDGE.top + 2}" text-anchor="${isRight ? "end" : "start"}">${fullName(bar)}: ${words.join(", ")}</text>`;
}

const TREND = { width: 120, height: 28 };

/**
 * A line without axes, a value for each day, the oldest first; null where it is not known. It only decorates: the page says the
 * same in words, a chart or a table. The line begins at zero, or at the least value where only the change matters.
 */
export function trendLine(days: readonly (number | null)[], from: "zero" | "least" = "zero"): Html {
  const across = scaleLinear([0, days.length - 1], [1, TREND.width - 1]);
  const values = days.filter((value) => value !== null);
  const least = Math.min(...values, ...(from === "zero" ? [0] : []));
  const most = Math.max(...values, ...(from === "zero" ? [1] : []));
  const up = scaleLinear(
    [least, most],
    least === most ? [TREND.height / 2, TREND.height / 2] : [TREND.height - 2, 2],
  );
  const points = days.flatMap((value, index) =>
    value === null ? [] : [`${across(index).toFixed(1)},${up(value).toFixed(1)}`],
  );
  return html`<svg class="trend" viewBox="0 0 ${TREND.width} ${TREND.height}" aria-hidden="true" preserveAspectRatio="none"><polyline points="${points.join(" ")}"/></svg>`;
}

/** The width of the whole bar, in the units of the drawing. */
const BAR_WIDTH = 1000;

/**
 * A bar that is filled as far as a quota is used. Behind it stands how far it is expected to be filled at the end. `caption`
 * says the same in words.
 */
export function quotaBar({
  used,
  expected,
  limit,
  caption,
}: {
  used: number;
  expected: number | null;
  limit: number;
  caption: string;
}): Html {
  const widthOf = (amount: number) =>
    Math.min(BAR_WIDTH, Math.round((BAR_WIDTH * amount) / Math.max(1, limit)));
  const tone = used >= limit ? "bad" : "accent";
  const behind = expected !== null && expected > limit ? "warn" : "soft";
  return html`<svg class="quota-bar" viewBox="0 0 ${BAR_WIDTH} 12" preserveAspectRatio="none" role="img" aria-label="${caption}">
<rect class="whole" width="${BAR_WIDTH}" height="12"/>
${expected !== null && html`<rect class="${behind}" width="${widthOf(expected)}" height="12"/>`}
<rect class="${tone}" width="${widthOf(used)}" height="12"/>
</svg>
<p class="legend"><span class="key ${tone}">used: ${shownCount(used)}</span>
${expected !== null && html`<span class="key ${behind}">expected at the end: ${shownCount(expected)}</span>`}
<span>left: ${shownCount(Math.max(0, limit - used))}</span></p>
`;
}
