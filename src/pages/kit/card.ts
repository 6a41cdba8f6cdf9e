import { trendLine } from "./chart.ts";
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
${trend?.some((value) => value !== 0) && html`<dd>${trendLine(trend)}</dd>`}
${hint && html`<dd class="hint">${hint}</dd>`}
</div>
`;
