import { shownCount } from "../../platform/plural.ts";
import { Html, html } from "./html.ts";

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
  /** How the thing of the row is: where rows are cards, it stands right below the name. */
  isStatus?: boolean;
  /** Addresses and codes, which must not be broken: where rows are cards, it takes a whole line. */
  isWide?: boolean;
  /** Buttons and links that say what they do: where rows are cards, the head is not repeated above them. */
  isAction?: boolean;
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
  /** On a phone each row is a card: the first column is its name, the others are heads and values below. */
  rowsAreCards?: boolean;
}

/**
 * A table that stays one on a phone, unless its rows are cards: it scrolls sideways in its own frame, where the first column
 * stays, and a shadow at its edge tells that there is more to the right. A cell without a value is a dash.
 */
export const table = <Row>({
  label,
  caption,
  columns,
  rows,
  isDense,
  hasManyColumns,
  rowsAreCards = false,
}: Table<Row>): Html => html`<div class="table${isDense && " dense"}${hasManyColumns && " many"}${rowsAreCards && " of-cards"}" tabindex="0" role="region" aria-label="${label}">
<table${role(rowsAreCards, "table")}>
${caption && html`<caption>${caption}</caption>`}
<thead${role(rowsAreCards, "rowgroup")}><tr${role(rowsAreCards, "row")}>${columns.map(
  ({ head, meaning, isNumber, sort }) =>
    html`<th scope="col"${role(rowsAreCards, "columnheader")}${isNumber && NUMBER}${meaning && html` title="${meaning}"`}${sort?.direction && html` aria-sort="${sort.direction}"`}>${sort ? html`<a href="${sort.href}">${head}${sort.direction && html` <span aria-hidden="true">${ARROWS[sort.direction]}</span>`}</a>` : head}</th>`,
)}</tr></thead>
<tbody${role(rowsAreCards, "rowgroup")}>
${rows.map(
  (
    row,
  ) => html`<tr${role(rowsAreCards, "row")}>${columns.map((column, index) => cellOf(column, row, { isFirst: index === 0, namesHead: hasManyColumns === true || rowsAreCards, rowsAreCards }))}</tr>
`,
)}</tbody>
</table>
</div>
`;

const ARROWS = { ascending: "↑", descending: "↓" } as const;
const NUMBER = html` class="number"`;

/** Said where rows are cards: some browsers forget the roles of a table that is not displayed as one. */
const role = (isSaid: boolean, name: string): Html | false => isSaid && html` role="${name}"`;

function cellOf<Row>(
  { head, cell, ...looks }: Column<Row>,
  row: Row,
  { isFirst, namesHead, rowsAreCards }: { isFirst: boolean; namesHead: boolean; rowsAreCards: boolean },
): Html {
  const value = cell(row);
  const isMissing = value === null || value === undefined || value === false || value === "";
  const shown = isMissing ? "–" : typeof value === "number" ? shownCount(value) : value;
  const isUnbroken = UNBROKEN.test(html`${shown}`.text.replace(/<[^>]*>/g, ""));
  const kind = html`${classOf(looks, { isMissing, isUnbroken })}${namesHead && html` data-head="${wordsOf(head)}"`}`;
  return isFirst
    ? html`<th scope="row"${role(rowsAreCards, "rowheader")}${kind}>${shown}</th>`
    : html`<td${role(rowsAreCards, "cell")}${kind}>${shown}</td>`;
}

/** A name or an address so long without a blank may break anywhere on paper: the table must not be wider than the sheet. */
const UNBROKEN = /\S{32}/;

function classOf<Row>(
  { isNumber, isLong, isStatus, isWide, isAction }: Omit<Column<Row>, "head" | "cell">,
  { isMissing, isUnbroken }: { isMissing: boolean; isUnbroken: boolean },
): Html | false {
  const names = [
    isMissing && "missing",
    isNumber && "number",
    isLong && !isMissing && "long",
    isStatus && "status",
    isWide && "whole",
    isAction && "action",
    isUnbroken && "breaks",
  ].filter(Boolean);
  return names.length > 0 && html` class="${names.join(" ")}"`;
}

/** A head without its tags: an attribute shows it. */
const wordsOf = (head: Html | string): Html | string =>
  head instanceof Html ? new Html(head.text.replace(/<[^>]*>/g, "")) : head;

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
