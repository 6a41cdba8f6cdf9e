import { type Html, html } from "./html.ts";

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
