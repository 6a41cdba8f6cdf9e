import { changeSentence } from "../../../../carriers/change-words.ts";
import type { WatchedChange } from "../../../../carriers/watched-changes.ts";
import type { EntryContext } from "../../../../platform/context.ts";
import { shownDay } from "../../../../platform/shown-day.ts";
import { dashboardLink } from "../../../frame/links.ts";
import { type Html, html } from "../../../kit/html.ts";

/** Changes of carriers as sentences, by the day on which they were seen and by carrier. */
export const changeList = (
  context: EntryContext,
  changes: readonly WatchedChange[],
  names: ReadonlyMap<string, string>,
): Html =>
  html`${[...Map.groupBy(changes, ({ seen_at }) => seen_at.slice(0, 10))].map(
    ([day, own]) => html`<h3><time datetime="${day}">${shownDay(day)}</time></h3>
<ul class="feed">
${[...Map.groupBy(own, ({ usdot }) => usdot)].map(
  ([usdot, changed]) => html`<li>
<p><a href="${dashboardLink(context, `/carriers/${usdot}`)}">${names.get(usdot) ?? `USDOT ${usdot}`}</a></p>
${changed.map(
  (change) => html`<p>${changeSentence(change)}.</p>
`,
)}</li>
`,
)}</ul>
`,
  )}`;
