import { shownCount } from "../../platform/plural.ts";
import { type Html, html } from "./html.ts";

export interface Column<Row> {
  /** The words of the head of the column. */
  head: Html | string;
  /** What the column means, shown at its head. */
  meaning?: string;
  cell: (row: Row) => Html | string | number | null | undefined | false;
  /** A link at the head that sorts the rows by this column, and how they are sorted by it now. */
  sort?: { href: string; direction: "ascending" | "descending" | null } | null;
  /** Numbers are set to the right, so that their digits stand below each other. */
  isNumber?: boolean;
  /** Sentences: the column is wide enough to read them. */
  isLong?: boolean;
}

export interface Table<Row> {
  /** The name of the table for people who cannot see it. */
  label: string;
  /** A line above the table. */
  caption?: Html | string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** Keeps every cell in one line. */
  isDense?: boolean;
  /** The columns do not fit on paper side by side: there, each row is a list of heads and values. */
  hasManyColumns?: boolean;
}

/**
 * A table that stays one on a phone: it scrolls sideways in its own frame, where the first column stays, and a shadow at its
 * edge tells that there is more to the right. A cell without a value is a dash.
 */
export const table = <Row>({
  label,
  caption,
  columns,
  rows,
  isDense,
  hasManyColumns,
}: Table<Row>): Html => html`<div class="table${isDense && " dense"}${hasManyColumns && " many"}" tabindex="0" role="region" aria-label="${label}">
<table>
${caption && html`<caption>${caption}</caption>`}
<thead><tr>${columns.map(
  ({ head, meaning, isNumber, sort }) =>
    html`<th scope="col"${isNumber && NUMBER}${meaning && html` title="${meaning}"`}${sort?.direction && html` aria-sort="${sort.direction}"`}>${sort ? html`<a href="${sort.href}">${head}${sort.direction && html` <span aria-hidden="true">${ARROWS[sort.direction]}</span>`}</a>` : head}</th>`,
)}</tr></thead>
<tbody>
${rows.map(
  (
    row,
  ) => html`<tr>${columns.map((column, index) => cellOf(column, row, { isFirst: index === 0, namesHead: hasManyColumns }))}</tr>
`,
)}</tbody>
</table>
</div>
`;

const ARROWS = { ascending: "↑", descending: "↓" } as const;
const NUMBER = html` class="number"`;
const LONG = html` class="long"`;

function cellOf<Row>(
  { head, cell, isNumber, isLong }: Column<Row>,
  row: Row,
  { isFirst, namesHead }: { isFirst: boolean; namesHead: boolean | undefined },
): Html {
  const value = cell(row);
  const isMissing = value === null || value === undefined || value === false || value === "";
  const shown = isMissing ? "–" : typeof value === "number" ? shownCount(value) : value;
  const kind = html`${(isNumber && NUMBER) || (isLong && LONG)}${namesHead && html` data-head="${head}"`}`;
  return isFirst ? html`<th scope="row"${kind}>${shown}</th>` : html`<td${kind}>${shown}</td>`;
}

type Value = Html | string | number | null | undefined;

/** Names and values of one thing, below each other. A missing value is a dash; a line that is false or null is left out. */
export const facts = (
  lines: readonly (readonly [name: Html | string, value: Value] | false | null)[],
): Html => html`<dl class="facts">
${lines
  .filter((line) => line !== false && line !== null)
  .map(
    ([
      name,
      value,
    ]) => html`<dt>${name}</dt><dd>${value === null || value === undefined || value === "" ? "–" : value}</dd>
`,
  )}</dl>
`;
