import { type Caller, callerOfAccount } from "../../../../accounts/keys/caller.ts";
import { mayDo, offered } from "../../../../accounts/people/roles.ts";
import type { Session } from "../../../../accounts/sessions/sessions.ts";
import { companyNames, NEWEST_SINCE_DAYS, readNewestChanges } from "../../../../carriers/watched-changes.ts";
import type { components } from "../../../../generated/types.ts";
import type { EntryContext } from "../../../../platform/context.ts";
import { ProblemError } from "../../../../platform/http/problem.ts";
import { countOf, shownCount } from "../../../../platform/plural.ts";
import { listCarriers, MOST_NUMBERS } from "../../../../watchlists/watched-carriers.ts";
import { readList, type WatchlistOut } from "../../../../watchlists/watchlists.ts";
import { dashboardLink } from "../../../frame/links.ts";
import { field, longField, type Mistake, mistakeList } from "../../../kit/field.ts";
import { type Html, html } from "../../../kit/html.ts";
import { backTo, pager } from "../../../kit/navigation.ts";
import { emptyState, errorNotice } from "../../../kit/notice.ts";
import { table } from "../../../kit/table.ts";
import { shownTime } from "../../../kit/time.ts";
import { formToken } from "../../dashboard-page.ts";
import { confirmForm } from "../../parts/confirm.ts";
import { changeList } from "../../parts/watchlists/change-list.ts";
import { listFields, type TypedList } from "../../parts/watchlists/list-fields.ts";
import { WATCH_COST, watchLack } from "../../parts/watchlists/watch-words.ts";
import { problemOf } from "../../problem-page.ts";

const CARRIERS_SHOWN = 100;
const CHANGES_SHOWN = 50;

/** What the page of a list shows besides the list. */
export interface ListParts {
  /** Shown above everything else. */
  top?: Html | null;
  /** Typed numbers that were refused, and why. */
  refused?: { typed: string; trouble: string };
  /** A name and note that were refused, and why. */
  renamed?: { typed: TypedList; mistakes: readonly Mistake[] };
}

/** The page of a list. ProblemError not_found; InvalidRequestError for a cursor of another list. */
export async function listPage(
  context: EntryContext,
  session: Session,
  { watchlistId, cursor, ...parts }: ListParts & { watchlistId: number; cursor: string | undefined },
): Promise<{ title: string; body: Html }> {
  const caller = await callerOfAccount(context, session.accountId);
  const list = await readList(context, session.accountId, watchlistId);
  const query = { limit: CARRIERS_SHOWN, ...(cursor !== undefined && { cursor }) };
  const page = await listCarriers(context, { caller, watchlistId }, query);
  const lack = watchLack(context, caller);
  const here = linkOf(context, list);
  const mayChange = mayDo(session.person.role, "change watchlists");
  const body = html`${backTo(dashboardLink(context, "/watchlists"), "Watchlists")}<h1>${list.name}</h1>
${parts.top}
${list.description && html`<p>${list.description}</p>`}
${mayChange && renamePart(context, session, list, parts)}
${mayChange && addPart(context, session, { list, lack, ...parts })}
<h2>Newest changes</h2>
${await changesPart(context, caller, list)}
<h2>Carriers</h2>
${list.carriers > 0 && html`<p>${countOf(list.carriers, "carrier")}. ${WATCH_COST}</p>`}
${page.data.length > 0 ? carrierTable(context, session, list, page.data) : noCarriers(session)}
${pager({
  newest: cursor !== undefined && { href: here, name: "First carriers" },
  older: page.next_cursor !== null && {
    href: `${here}?cursor=${encodeURIComponent(page.next_cursor)}`,
    name: "More carriers",
  },
})}
${
  mayDo(session.person.role, "delete watchlists") &&
  html`<h2>Delete</h2>
<p>The list will be deleted for good. Rows that were charged for its carriers stay charged.</p>
<p><a class="button danger" href="${here}/delete">Delete</a></p>`
}`;
  return { title: list.name, body };
}

const linkOf = (context: EntryContext, { id }: Pick<WatchlistOut, "id">): string =>
  dashboardLink(context, `/watchlists/${id}`);

const noCarriers = ({ person }: Session): Html =>
  emptyState({
    title: "No carrier is on this list",
    text: offered(
      person.role,
      "change watchlists",
      "Add carriers above, or with “Watch” on the page of a company.",
    ),
  });

/** The form that renames a list, folded unless something was wrong in it. */
const renamePart = (
  context: EntryContext,
  session: Session,
  list: WatchlistOut,
  { renamed }: ListParts,
): Html => {
  const typed = renamed?.typed ?? { name: list.name, description: list.description ?? "" };
  const mistakes = renamed?.mistakes ?? [];
  return html`${mistakeList("Nothing was saved.", mistakes)}
<details${mistakes.length > 0 && html` open`}>
<summary>Change name and note</summary>
<form class="stack" method="post" action="${linkOf(context, list)}/edit">
${formToken(session)}
${listFields(typed, mistakes)}
<button>Save</button>
</form>
</details>`;
};

async function changesPart(context: EntryContext, caller: Caller, list: WatchlistOut): Promise<Html> {
  if (list.carriers === 0) return html`<p>Changes of the list's carriers will appear here.</p>`;
  try {
    const changes = await readNewestChanges(context, caller, { watchlistId: list.id, most: CHANGES_SHOWN });
    if (changes.length === 0) {
      return emptyState({
        title: "Nothing changed",
        text: `No change of these carriers was seen in the last ${NEWEST_SINCE_DAYS} days.`,
      });
    }
    const names = await companyNames(context, changes);
    return html`${changes.length === CHANGES_SHOWN && html`<p>The newest ${CHANGES_SHOWN} of the last ${NEWEST_SINCE_DAYS} days.</p>`}
${changeList(context, changes, names)}`;
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return errorNotice(problemOf(error).detail);
  }
}

const carrierTable = (
  context: EntryContext,
  session: Session,
  list: WatchlistOut,
  carriers: components["schemas"]["WatchedCarriersOut"]["data"],
): Html =>
  table({
    label: "Carriers",
    rowsAreCards: true,
    rows: carriers,
    columns: [
      {
        head: "Company",
        cell: ({ usdot, company }) =>
          html`<a href="${dashboardLink(context, `/carriers/${usdot}`)}">${company ?? `USDOT ${usdot}`}</a>`,
      },
      { head: "USDOT number", cell: ({ usdot }) => usdot },
      { head: "State", cell: ({ state }) => state },
      { head: "Added", cell: ({ added_at }) => shownTime(added_at) },
      {
        head: "Remove",
        isAction: true,
        cell: ({ usdot, company }) =>
          mayDo(session.person.role, "change watchlists") &&
          html`<form method="post" action="${linkOf(context, list)}/remove">
${formToken(session)}
<button class="danger small" name="usdot" value="${usdot}" aria-label="Remove ${company ?? `USDOT ${usdot}`}">Remove</button>
</form>`,
      },
    ],
  });

/** The form that adds carriers, folded when the list has some, unless something was wrong in it. */
const addPart = (
  context: EntryContext,
  session: Session,
  { list, lack, refused }: ListParts & { list: WatchlistOut; lack: Html | null },
): Html => html`${refused && errorNotice(refused.trouble)}
<details${(list.carriers === 0 || refused) && html` open`}>
<summary>Add carriers</summary>
${lack === null ? addForm(context, session, list, refused?.typed) : html`<p>${lack}</p>`}
</details>`;

const addForm = (context: EntryContext, session: Session, list: WatchlistOut, typed = ""): Html =>
  html`<form class="stack" method="post" enctype="multipart/form-data" action="${linkOf(context, list)}">
${formToken(session)}
${longField({
  name: "numbers",
  label: "Numbers",
  value: typed,
  hint: "USDOT or docket numbers (MC, FF or MX), with anything between them.",
  placeholder: "2974185, MC-139446",
  isCode: true,
})}
${field({
  name: "file",
  label: "Or a CSV file",
  type: "file",
  hint: `The columns are found by their heads, such as usdot, dot_number, mc or docket; the docket is read where a row has no USDOT number. Without such heads, the first column of numbers is read. At most ${shownCount(MOST_NUMBERS)} numbers and 4 MB. Typed numbers are left out when you choose a file.`,
})}
<button>Add</button>
</form>`;

/** The page that asks before a list is deleted. */
export const confirmDeleting = (
  context: EntryContext,
  session: Session,
  list: WatchlistOut,
): Html => html`${backTo(linkOf(context, list), list.name)}<h1>Delete the list</h1>
<p><strong>${list.name}</strong> with its ${countOf(list.carriers, "carrier")} will be deleted and cannot be restored. Carriers that
are on another list stay watched.</p>
${confirmForm(session, { button: "Delete the list", cancel: linkOf(context, list) })}`;
