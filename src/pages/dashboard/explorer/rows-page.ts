import { mayDo } from "../../../accounts/people/roles.ts";
import type { Session } from "../../../accounts/sessions/sessions.ts";
import type { SavedView } from "../../../accounts/views/saved-views.ts";
import type { Feed } from "../../../feeds/catalogue.ts";
import type { Look } from "../../../feeds/records/look.ts";
import { dayOf, monthAfter } from "../../../platform/clock.ts";
import type { EntryContext } from "../../../platform/context.ts";
import { countOf, shownCount } from "../../../platform/plural.ts";
import { shownDay } from "../../../platform/shown-day.ts";
import { dashboardLink } from "../../frame/links.ts";
import { type Mistake, mistakeList } from "../../kit/field.ts";
import { type Html, html } from "../../kit/html.ts";
import { pager } from "../../kit/navigation.ts";
import { emptyState, errorNotice, notice } from "../../kit/notice.ts";
import { type FeedHead, feedHead, feedLink } from "../parts/feeds/feed-head.ts";
import { type AskedName, filterField, labelOf } from "../parts/feeds/filter-fields.ts";
import { recordTable } from "../parts/feeds/record-table.ts";
import type { TextChoices } from "../parts/feeds/text-choices.ts";
import { feedWarnings, shownWarning } from "../parts/warnings.ts";
import { howToGetMore, noApiAccess, type PlanShown } from "../plan-note.ts";
import type { ShownProblem } from "../problem-page.ts";
import { asCall } from "./as-call.ts";
import { filterChips } from "./chips.ts";
import { columnMenu, type Download, downloadMenu, hiddenView } from "./menus.ts";
import { saveMenu, type TypedName, viewLinks } from "./saved-views.ts";
import { askedNames, searchOf, searchWithoutFilters, type View } from "./view.ts";

/** The part of the page that says what is shown. Filters lead there, so that the keyboard goes on from it. */
export const SHOWN = "shown";
const ROWS = "rows";
const AFTER_ROWS = "after-rows";

/** How many rows a feed's page shows. */
export const PAGE_ROWS = 50;

export interface RowsPage extends FeedHead {
  session: Session;
  view: View;
  /** The views of the feed that the account saved. */
  views: readonly SavedView[];
  /** A name for this view that was not saved, and why. */
  typed: TypedName;
  /** What is wrong with what is asked. */
  mistakes: readonly Mistake[];
  /** What filters by whole texts can be asked for, and are. */
  texts: ReadonlyMap<AskedName, TextChoices>;
  /** Null when the feed is not live or stale, or something is wrong. */
  result: Look | ShownProblem | null;
  /** Null when the plan has no downloads. */
  download: Download | null;
  /** Shown above the rows. */
  top: Html | null;
}

/** The page of a feed's rows. */
export const rowsPage = (
  context: EntryContext,
  plan: PlanShown,
  page: RowsPage,
): Html => html`${feedHead(context, page, "rows")}
${page.top}
${noApiAccess(context, plan)}
${page.state.fresh ? rowsPart(context, plan, page) : notServed(context, page)}
${plan.hasApiAccess && page.mistakes.length === 0 && asCall(context, page.feed, page.view)}`;

const notServed = (context: EntryContext, { state }: RowsPage): Html | Html[] =>
  state.as_of === null
    ? emptyState({
        title: "This feed is not live yet",
        text: "It is in your plan. Its rows appear here when it is published; you need not do anything.",
      })
    : feedWarnings(context, [state]).map(shownWarning);

function rowsPart(context: EntryContext, plan: PlanShown, page: RowsPage): Html {
  const { feed, view, mistakes, result, download } = page;
  const here = feedLink(context, feed);
  return html`${mistakeList("No rows are shown.", mistakes)}
${view.unknown.length > 0 && notice("warn", html`Left out, because the feed does not have it: ${view.unknown.map((name) => name.slice(0, 64)).join(", ")}.`)}
${unknownTexts(page)}
${viewLinks(context, feed, page.views, view)}
${mistakeList("The view was not saved.", page.typed.mistakes)}
${filterForm(page, here)}
<div id="${SHOWN}">
${filterChips(feed, view, here)}
${result && !("detail" in result) && counts(context, result, download)}
</div>
${download && isTooLarge(download) && tooLarge(context, plan, download)}
${
  mistakes.length === 0 &&
  html`<div class="menus">
${columnMenu(feed, view, here)}
${mayDo(page.session.person.role, "save views") && saveMenu(context, page.session, feed, view, page.typed)}
${download && !isEmpty(result) && downloadMenu(feed, view, here, download)}
</div>`
}
<p id="download-state" role="status"></p>
${result && resultOf(context, page, result)}`;
}

/** Texts asked for that no row has, for example a misspelled insurer. */
const unknownTexts = ({ texts }: RowsPage): (Html | false)[] =>
  [...texts].map(
    ([name, { unknown }]) =>
      unknown.length > 0 &&
      notice(
        "warn",
        html`${labelOf(name)}: no row has ${unknown.map((text) => `“${text.slice(0, 64)}”`).join(", ")}. Choose whole names.`,
      ),
  );

const filterForm = (
  { feed, state, view, mistakes, texts }: RowsPage,
  here: string,
): Html => html`<details class="filters"${(view.asked.size === 0 || mistakes.length > 0) && html` open`}>
<summary>Filters</summary>
<form method="get" action="${here}">
${hiddenView(feed, view, askedNames(feed))}<div class="fields">
${askedNames(feed).map((name) =>
  filterField(feed, name, {
    value: view.asked.get(name) ?? "",
    mistakes,
    regions: state.regions ?? null,
    texts: texts.get(name),
  }),
)}</div>
<p class="row actions"><button>Show rows</button> <a class="button quiet" href="${here}${searchWithoutFilters(feed, view)}">Clear</a></p>
</form>
</details>`;

/** How many companies and rows match, and what they would charge. */
const counts = (context: EntryContext, { rows, businesses }: Look, download: Download | null): Html =>
  html`<p class="counts"><strong>${businesses === null ? countOf(rows, "row") : countOf(businesses, "company", "companies")}</strong>${businesses !== null && businesses !== rows && ` in ${countOf(rows, "row")}`}${
    download &&
    rows > 0 &&
    html`. A download of all of them uses <strong>${countOf(download.charge, "row")}</strong> of your quota. ${countOf(download.left, "row")} ${download.left === 1 ? "is" : "are"} left: see <a href="${dashboardLink(context, "/usage")}">Usage</a>`
  }. Looking at rows here is free.</p>`;

/** Whether it is known that no row matches: there is nothing to download. */
const isEmpty = (result: RowsPage["result"]): boolean =>
  result !== null && !("detail" in result) && result.rows === 0;

const isTooLarge = ({ charge, left }: Download): boolean => charge > left;

/** That a download would be refused, and what can be done. */
function tooLarge(context: EntryContext, plan: PlanShown, { left }: Download): Html {
  const until = shownDay(monthAfter(dayOf(context.clock.now())));
  const [what, remedy] =
    left === 0
      ? ["All rows of this month are used.", `Downloads are refused until ${until} (UTC).`]
      : ["A download of these rows is refused.", `Filter for fewer rows, or wait until ${until} (UTC).`];
  return notice("bad", html`<strong>${what}</strong> ${remedy} ${howToGetMore(context, plan)}`);
}

function resultOf(context: EntryContext, { feed, view }: RowsPage, result: Look | ShownProblem): Html {
  if ("detail" in result) return errorNotice(result.detail);
  const here = feedLink(context, feed);
  if (result.records.length === 0) {
    return view.asked.size > 0
      ? emptyState({
          title: "No record matches",
          text: "No row of this feed passes all of your filters.",
          action: html`<a class="button quiet" href="${here}${searchWithoutFilters(feed, view)}">Clear the filters</a>`,
        })
      : emptyState({
          title: "This feed is empty",
          text: `No business is in it for your plan as of ${result.asOf}.`,
        });
  }
  const first = (result.page - 1) * PAGE_ROWS + 1;
  const last = first + result.records.length - 1;
  const pageAt = (page: number, name: string) => ({
    href: `${here}${searchOf(feed, { ...view, page })}#${ROWS}`,
    name,
  });
  return html`<h2 id="${ROWS}">Rows</h2>
<p>${shownCount(first)} to ${shownCount(last)} of ${shownCount(result.rows)}, as of <time>${result.asOf}</time>.</p>
<a class="skip" href="#${AFTER_ROWS}">Skip the rows</a>
${recordTable(view.columns, result.records, {
  pageOf: (usdot) => dashboardLink(context, `/carriers/${usdot}`),
  sortOf: sortLinks(feed, view, result, here),
})}
<div id="${AFTER_ROWS}">${pager({
    newest: result.page > 1 && pageAt(result.page - 1, `Previous ${PAGE_ROWS}`),
    older: last < result.rows && pageAt(result.page + 1, `Next ${Math.min(PAGE_ROWS, result.rows - last)}`),
  })}</div>`;
}

type SortOf = NonNullable<Parameters<typeof recordTable>[2]>["sortOf"];

/** Sorts ascending at first, then descending, then not at all. */
function sortLinks(feed: Feed, view: View, { sortable }: Look, here: string): SortOf {
  return ({ name }) => {
    const column = sortable.find((each) => each === name);
    if (column === undefined) return null;
    const now = view.sort?.column === column ? view.sort : null;
    const next = now?.isDescending ? null : { column, isDescending: now !== null };
    return {
      href: `${here}${searchOf(feed, { ...view, page: 1, sort: next })}#${ROWS}`,
      direction: now && (now.isDescending ? "descending" : "ascending"),
    };
  };
}
