import type { Feed } from "../../../feeds/catalogue.ts";
import { type Html, html } from "../../kit/html.ts";
import { labelOf, shownAnswer } from "../parts/feeds/filter-fields.ts";
import { searchOf, searchWithoutFilters, type View } from "./view.ts";

/** The filters in force, each as a link that takes it away. Nothing without any. */
export function filterChips(feed: Feed, view: View, here: string): Html | false {
  if (view.asked.size === 0) return false;
  const without = (name: string): string => {
    const asked = new Map([...view.asked].filter(([other]) => other !== name));
    return here + searchOf(feed, { ...view, page: 1, asked });
  };
  return html`<ul class="chips" aria-label="Filters in force">
${[...view.asked].map(
  ([name, value]) =>
    html`<li><a href="${without(name)}" title="Take this filter away">${labelOf(name)}: <strong>${shownAnswer(feed, name, value)}</strong> <span aria-hidden="true">×</span></a></li>
`,
)}${view.asked.size > 1 && html`<li><a class="all" href="${here}${searchWithoutFilters(feed, view)}">Clear all</a></li>\n`}</ul>`;
}
