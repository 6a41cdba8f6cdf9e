import { type Html, html } from "../../frame/html.ts";
import { shownCount } from "./shown-values.ts";

interface Bar {
  name: string;
  value: number;
}

const BAR_WIDTH = 20;
const HEIGHT = 120;

/** A bar chart as SVG. Its caption gives the sum and the highest bar, for people who cannot see the chart. */
export function barChart(name: string, bars: readonly Bar[]): Html {
  const highest = Math.max(...bars.map(({ value }) => value), 0);
  const sum = bars.reduce((total, { value }) => total + value, 0);
  const peak = bars.find(({ value }) => value === highest);
  const caption =
    sum === 0
      ? `${name}: none`
      : `${name}: ${shownCount(sum)} in total, most on ${peak?.name}: ${shownCount(highest)}`;
  return html`<figure class="chart">
<figcaption>${caption}</figcaption>
<svg viewBox="0 0 ${bars.length * BAR_WIDTH} ${HEIGHT}" role="img" aria-label="${caption}" preserveAspectRatio="none">
${bars.map(({ name: day, value }, index) => {
  const height = highest === 0 ? 0 : Math.max(value > 0 ? 1 : 0, (Math.max(0, value) / highest) * HEIGHT);
  return html`<rect x="${index * BAR_WIDTH + 2}" y="${HEIGHT - height}" width="${BAR_WIDTH - 4}" height="${height}"><title>${day}: ${shownCount(value)}</title></rect>
`;
})}</svg>
<p class="axis"><span>${bars[0]?.name}</span><span>${bars.at(-1)?.name}</span></p>
</figure>`;
}
