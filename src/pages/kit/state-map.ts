import { shownCount } from "../../platform/plural.ts";
import { short } from "./axes.ts";
import { type Html, html } from "./html.ts";

/** The states as tiles of one size, each about where it lies: a state with much land does not look as if it had more. */
const TILES = [
  "AK .. .. .. .. .. .. .. .. .. ME",
  ".. .. .. .. .. .. .. .. .. VT NH",
  "WA ID MT ND MN IL WI MI NY RI MA",
  "OR NV WY SD IA IN OH PA NJ CT ..",
  "CA UT CO NE MO KY WV VA MD DE ..",
  ".. AZ NM KS AR TN NC SC DC .. ..",
  ".. .. .. OK LA MS AL GA .. .. ..",
  "HI .. .. TX .. .. .. .. FL .. ..",
  "GU MP AS .. .. .. .. .. .. PR VI",
].flatMap((line, row) =>
  line.split(" ").flatMap((code, column) => (code === ".." ? [] : [{ code, row, column }])),
);

const TILE = 44;
const COLUMNS = 11;
const ROWS = 9;
/** As many shades as can be told apart. */
const SHADES = 5;

/** The largest value of each shade: they grow by a factor, because few states have most of a feed. */
function shadesUpTo(most: number): number[] {
  const ends = Array.from({ length: SHADES }, (_, index) => Math.ceil(most ** ((index + 1) / SHADES)));
  return [...new Set([...ends.slice(0, -1), most])].sort((a, b) => a - b);
}

/**
 * A map of the states in which a number has a shade, with the legend of them. The page says the same figures in a table.
 * `values` has a number for each state; one that is missing has none.
 */
export function stateMap({
  title,
  unit,
  values,
}: {
  title: string;
  /** What is counted, such as `rows`. */
  unit: string;
  values: ReadonlyMap<string, number>;
}): Html {
  const most = Math.max(0, ...TILES.map(({ code }) => values.get(code) ?? 0));
  const ends = shadesUpTo(Math.max(1, most));
  const first = SHADES - ends.length;
  const shadeOf = (value: number) =>
    value === 0 ? "none" : `shade-${first + ends.findIndex((end) => value <= end)}`;
  const range = (index: number) => {
    const from = index === 0 ? 1 : (ends[index - 1] as number) + 1;
    const to = ends[index] as number;
    return from === to ? shownCount(to) : `${shownCount(from)} to ${shownCount(to)}`;
  };
  const peak = TILES.find(({ code }) => most > 0 && values.get(code) === most);
  const caption = peak ? `${title}: most in ${peak.code}, ${shownCount(most)} ${unit}` : `${title}: none`;
  return html`<figure class="chart map">
<figcaption><strong>${title}</strong></figcaption>
<svg viewBox="0 0 ${COLUMNS * TILE} ${ROWS * TILE}" role="img" aria-label="${caption}">
${TILES.map(({ code, row, column }) => {
  const value = values.get(code) ?? 0;
  const [x, y] = [column * TILE, row * TILE];
  return html`<g class="tile ${shadeOf(value)}"><title>${code}: ${shownCount(value)} ${unit}</title><rect x="${x + 1}" y="${y + 1}" width="${TILE - 2}" height="${TILE - 2}" rx="4"/><text x="${x + TILE / 2}" y="${y + 19}" text-anchor="middle">${code}</text><text x="${x + TILE / 2}" y="${y + 34}" text-anchor="middle">${value > 0 && short(value)}</text></g>
`;
})}</svg>
<p class="legend"><span class="key none">none</span>${ends.map((_, index) => html`<span class="key shade-${first + index}">${range(index)} ${unit}</span>`)}</p>
</figure>
`;
}
