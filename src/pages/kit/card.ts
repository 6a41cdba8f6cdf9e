import { trendLine } from "./chart.ts";
import { type Html, html } from "./html.ts";

/** One fact of a page. `trend` are the values of the last days, the oldest first; they are drawn without axes. */
export interface Card {
  title: string;
  value: Html | string;
  /** What the value means, or what to do about it. */
  hint?: Html | string | false | null;
  trend?: readonly number[];
  /** A drawing or a bar between the value and the hint. */
  picture?: Html | false;
  /** It matters more than the others: it is larger, and they stand beside it. */
  isMain?: boolean;
}

/** Facts side by side, as many in a row as fit. */
export const cards = (facts: readonly (Card | false | null)[]): Html => html`<dl class="cards">
${facts.filter((fact) => fact !== null && fact !== false).map(card)}</dl>
`;

const card = ({
  title,
  value,
  hint,
  trend,
  picture,
  isMain,
}: Card): Html => html`<div class="card${isMain && " main"}">
<dt>${title}</dt>
<dd class="value">${value}</dd>
${trend?.some((value) => value !== 0) && html`<dd>${trendLine(trend)}</dd>`}
${picture && html`<dd>${picture}</dd>`}
${hint && html`<dd class="hint">${hint}</dd>`}
</div>
`;
