// Views of feeds that an account saved: where they are shown, and the form that saves one.

import { mayDo } from "../../../accounts/people/roles.ts";
import type { Session } from "../../../accounts/sessions/sessions.ts";
import { MOST_VIEWS, type SavedView } from "../../../accounts/views/saved-views.ts";
import { type Feed, feedOf } from "../../../feeds/catalogue.ts";
import type { EntryContext } from "../../../platform/context.ts";
import { isPlainText } from "../../../platform/plain-text.ts";
import { dashboardLink } from "../../frame/links.ts";
import { field, type Mistake, wrongIn } from "../../kit/field.ts";
import { type Html, html } from "../../kit/html.ts";
import { type Column, table } from "../../kit/table.ts";
import { shownTime } from "../../kit/time.ts";
import { formToken } from "../dashboard-page.ts";
import { feedLink } from "../parts/feeds/feed-head.ts";
import { labelOf, shownAnswer } from "../parts/feeds/filter-fields.ts";
import { searchOf, type View, viewOf } from "./view.ts";

/** The field of a view's name. */
export const NAME_FIELD = "view_name";
/** The hidden field of what is saved. */
export const SEARCH_FIELD = "search";
const LONGEST_NAME = 80;

/** A view's query as it is saved: its first page. */
export const savedSearch = (feed: Feed, view: View): string => searchOf(feed, { ...view, page: 1 });

/** What is wrong with a typed name. */
export function nameMistakes(name: string): Mistake[] {
  const say = (message: string) => [{ name: NAME_FIELD, label: "Name of the view", message }];
  if (name === "") return say("Write a name.");
  if ([...name].length > LONGEST_NAME) return say(`Write at most ${LONGEST_NAME} characters.`);
  return isPlainText(name) ? [] : say("Write it without line breaks and control characters.");
}

/** Why a view was not saved although its name is right. */
export const TOO_MANY_VIEWS: Mistake = {
  name: NAME_FIELD,
  label: "Name of the view",
  message: `Your account has ${MOST_VIEWS} saved views, which is the limit. Delete one on the page Feeds first, or use the name of one to replace it.`,
};

/** Links to the views that the account saved of a feed. Nothing without any. */
export const viewLinks = (
  context: EntryContext,
  feed: Feed,
  views: readonly SavedView[],
  view: View,
): Html | false => {
  const here = savedSearch(feed, view);
  return (
    views.length > 0 &&
    html`<nav class="views" aria-label="Saved views"><ul class="chips">
<li>Saved views:</li>
${views.map(
  ({ name, search }) =>
    html`<li><a href="${feedLink(context, feed)}${search}"${search === here && html` aria-current="true"`}>${name}</a></li>
`,
)}</ul></nav>`
  );
};

export interface TypedName {
  name: string;
  mistakes: readonly Mistake[];
}

/** The form that saves a view. */
export const saveMenu = (
  context: EntryContext,
  session: Session,
  feed: Feed,
  view: View,
  { name, mistakes }: TypedName,
): Html => html`<details class="menu"${mistakes.length > 0 && html` open`}>
<summary class="button quiet">Save this view</summary>
<form class="stack" method="post" action="${feedLink(context, feed)}/views${savedSearch(feed, view)}">
${formToken(session)}
<input type="hidden" name="${SEARCH_FIELD}" value="${savedSearch(feed, view)}">
${field({
  name: NAME_FIELD,
  label: "Name of the view",
  value: name,
  maxLength: LONGEST_NAME,
  placeholder: "Brokers in Texas",
  hint: "Filters, columns and order are saved for everybody of your account. A view of the same name is replaced.",
  isRequired: true,
  ...wrongIn(mistakes, NAME_FIELD),
})}
<button>Save</button>
</form>
</details>`;

/** All views of the account. Those of feeds that its plan does not have lead nowhere. */
export const viewTable = (
  context: EntryContext,
  session: Session,
  views: readonly SavedView[],
  planFeeds: ReadonlySet<string>,
): Html =>
  table({
    label: "Saved views",
    rowsAreCards: true,
    rows: views,
    columns: [
      {
        head: "Name",
        cell: ({ feedCode, name, search }: SavedView) =>
          planFeeds.has(feedCode)
            ? html`<a href="${dashboardLink(context, `/feeds/${feedCode}`)}${search}">${name}</a>`
            : name,
      },
      {
        head: "Feed",
        cell: ({ feedCode }) =>
          html`${feedOf(feedCode)?.name ?? feedCode}${!planFeeds.has(feedCode) && html`<br>not in your plan now`}`,
      },
      { head: "Filters", cell: filtersIn, isLong: true },
      { head: "Saved", cell: ({ savedAt }) => shownTime(savedAt.toISOString()) },
      ...(mayDo(session.person.role, "delete views") ? [deletion(context, session)] : []),
    ],
  });

const deletion = (context: EntryContext, session: Session): Column<SavedView> => ({
  head: "Delete",
  isAction: true,
  cell: ({ id, name }) => html`<form method="post" action="${dashboardLink(context, "/feeds/views/delete")}">
${formToken(session)}
<button class="danger small" name="view" value="${id}" aria-label="Delete the view ${name}">Delete</button>
</form>`,
});

function filtersIn({ feedCode, search }: SavedView): string {
  const feed = feedOf(feedCode);
  if (feed === undefined) return "";
  const { asked } = viewOf(feed, new URLSearchParams(search));
  return [...asked].map(([name, value]) => `${labelOf(name)}: ${shownAnswer(feed, name, value)}`).join(" · ");
}
