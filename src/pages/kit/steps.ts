import { badge } from "./badge.ts";
import { type Html, html } from "./html.ts";

export interface Step {
  name: string;
  /** What the step is good for, or how it is done. */
  text: Html | string;
  isDone: boolean;
}

/** Steps to take, in order, with those that are done marked. The first of the others is the next one. */
export function steps(all: readonly Step[]): Html {
  const next = all.findIndex(({ isDone }) => !isDone);
  return html`<ol class="steps">
${all.map(
  (
    { name, text, isDone },
    index,
  ) => html`<li class="${isDone && "done"}"><strong>${name}</strong> ${stateOf(isDone, index === next)}
${!isDone && html`<p>${text}</p>`}</li>
`,
)}</ol>
`;
}

const stateOf = (isDone: boolean, isNext: boolean): Html | false =>
  isDone ? badge("good", "done") : isNext && badge("info", "next");
