import { type Html, html } from "../../frame/html.ts";
import { shownCount } from "./shown-values.ts";

interface Bar {
  name: string;
  value: number;
}

const BAR_WIDTH = 20;
const HEIGHT = 120;

/** A chart of one bar each, drawn on the server; who cannot see it reads its sum and highest bar. */
export function barChart(name: string, bars: readonly Bar[]): Html {
  const highest = Math.max(...bars.map(({ value }) => value), 0);
  const sum = bars.reduce((total, { value }) => total + value, 0);
  const peak = bars.find(({ value }) => value === highest);
  const told =
    sum === 0
      ? `${name}: none`
      : `${name}: ${shownCount(sum)} in all, most on ${peak?.name} with ${shownCount(highest)}`;
  return html`<figure class="chart">
<figcaption>${told}</figcaption>
<svg viewBox="0 0 ${bars.length * BAR_WIDTH} ${HEIGHT}" role="img" aria-label="${told}" preserveAspectRatio="none">
${bars.map(({ name: day, value }, place) => {
  const height = highest === 0 ? 0 : Math.max(value > 0 ? 1 : 0, (Math.max(0, value) / highest) * HEIGHT);
  return html`<rect x="${place * BAR_WIDTH + 2}" y="${HEIGHT - height}" width="${BAR_WIDTH - 4}" height="${height}"><title>${day}: ${shownCount(value)}</title></rect>
`;
})}</svg>
<p class="axis"><span>${bars[0]?.name}</span><span>${bars.at(-1)?.name}</span></p>
</figure>`;
}
