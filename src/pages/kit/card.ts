import { scaleLinear } from "d3-scale";
import { type Html, html } from "./html.ts";

/** One fact of a page. `trend` are the values of the last days, the oldest first; they are drawn without axes. */
export interface Card {
  title: string;
  value: Html | string;
  /** What the value means, or what to do about it. */
  hint?: Html | string | false | null;
  trend?: readonly number[];
}

/** Facts side by side, as many in a row as fit. */
export const cards = (facts: readonly (Card | false | null)[]): Html => html`<dl class="cards">
${facts.filter((fact) => fact !== null && fact !== false).map(card)}</dl>
`;

const card = ({ title, value, hint, trend }: Card): Html => html`<div class="card">
<dt>${title}</dt>
<dd class="value">${value}</dd>
${trend && trend.length > 1 && html`<dd class="trend">${trendLine(trend)}</dd>`}
${hint && html`<dd class="hint">${hint}</dd>`}
</div>
`;

const WIDTH = 120;
const HEIGHT = 28;

/** A line without axes. It only decorates: the page says the same in words or in a chart. */
function trendLine(values: readonly number[]): Html {
  const across = scaleLinear([0, values.length - 1], [1, WIDTH - 1]);
  const up = scaleLinear([Math.min(...values, 0), Math.max(...values, 1)], [HEIGHT - 2, 2]);
  const points = values.map((value, index) => `${across(index).toFixed(1)},${up(value).toFixed(1)}`);
  return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true" preserveAspectRatio="none"><polyline points="${points.join(" ")}"/></svg>`;
}
