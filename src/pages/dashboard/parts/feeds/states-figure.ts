import type { RowsByState } from "../../../../feeds/records/count.ts";
import { countOf, shareOf } from "../../../../platform/plural.ts";
import { type Html, html } from "../../../kit/html.ts";
import { stateMap } from "../../../kit/state-map.ts";
import { table } from "../../../kit/table.ts";

const TITLE = "Rows by state";

/** Where the companies of a feed are: a map of the states, and the table of its figures. `linked` makes a link of a state. */
export function statesFigure(
  { rows, by, as_of }: RowsByState,
  linked: (state: string) => Html | string = (state) => state,
): Html {
  const known = by.flatMap(({ value, rows: count }) => (value === null ? [] : [[value, count] as const]));
  return html`<p>${countOf(rows, "row")} as of <time>${as_of}</time>, by the state of the place of business.</p>
${stateMap({ title: TITLE, unit: "rows", values: new Map(known) })}
<details>
<summary>${TITLE} as a table</summary>
${table({
  label: TITLE,
  isDense: true,
  rows: by,
  columns: [
    { head: "State", cell: ({ value }) => (value === null ? "not known" : linked(value)) },
    { head: "Rows", cell: (each) => each.rows, isNumber: true },
    { head: "Share", cell: (each) => shareOf(each.rows, rows), isNumber: true },
  ],
})}</details>`;
}
