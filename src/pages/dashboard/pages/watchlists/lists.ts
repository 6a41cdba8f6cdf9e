import { callerOfAccount } from "../../../../accounts/keys/caller.ts";
import { ownersOf } from "../../../../accounts/people/people.ts";
import { mayDo, offered } from "../../../../accounts/people/roles.ts";
import type { Session } from "../../../../accounts/sessions/sessions.ts";
import { startWatchMail } from "../../../../carriers/watch-mail.ts";
import type { components } from "../../../../generated/types.ts";
import type { EntryContext } from "../../../../platform/context.ts";
import { ProblemError } from "../../../../platform/http/problem.ts";
import { shownCount } from "../../../../platform/plural.ts";
import { hasMail, stopMail } from "../../../../watchlists/mail-state.ts";
import { createList, listMakers, readWatchlists } from "../../../../watchlists/watchlists.ts";
import { dashboardLink } from "../../../frame/links.ts";
import { type Mistake, mistakeList } from "../../../kit/field.ts";
import { type Html, html } from "../../../kit/html.ts";
import { emptyState, errorNotice, notice } from "../../../kit/notice.ts";
import { facts, table } from "../../../kit/table.ts";
import { shownTime } from "../../../kit/time.ts";
import { formToken, sendPage } from "../../dashboard-page.ts";
import { madeBy } from "../../made-by.ts";
import { addressAfter, doneToast } from "../../parts/after-action.ts";
import { fieldOf } from "../../parts/form-fields.ts";
import { listFields, savedList, type TypedList, typedList } from "../../parts/watchlists/list-fields.ts";
import { WATCH_COST, watchLack } from "../../parts/watchlists/watch-words.ts";
import { problemOf } from "../../problem-page.ts";
import type { Routes } from "../../signed-in.ts";

const HERE = "/watchlists";

/** Routes the lists of an account, making one, and switching the daily mail. */
export const watchlistRoutes: Routes = (pages, context) => {
  const here = dashboardLink(context, HERE);
  pages.get(HERE, async (request, response, session) => {
    sendPage(context, response, await listsPage(context, session, { top: doneToast(request) }));
  });
  pages.post(HERE, "make watchlists", async (request, response, session) => {
    const typed = typedList(request);
    try {
      const mistakes = await savedList(typed, async (list) => {
        const { id } = await createList(context, session.accountId, list, session);
        response.redirect(303, addressAfter(`${here}/${id}`, "list-made"));
      });
      if (mistakes.length === 0) return;
      const top = mistakeList("No list was made.", mistakes);
      const page = await listsPage(context, session, { top, mistakes, typed });
      sendPage(context, response, { ...page, status: 422 });
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      const { status, detail } = problemOf(error);
      const page = await listsPage(context, session, { top: errorNotice(detail), typed });
      sendPage(context, response, { ...page, status });
    }
  });
  pages.post("/watchlists/mail", "switch the daily mail", async (request, response, session) => {
    const isOn = fieldOf(request, "mail") === "on";
    await (isOn ? startWatchMail : stopMail)(context, session.accountId, session);
    response.redirect(303, addressAfter(here, isOn ? "mail-on" : "mail-off"));
  });
};

interface Parts {
  top: Html | false | null;
  mistakes?: readonly Mistake[];
  typed?: TypedList;
}

async function listsPage(
  context: EntryContext,
  session: Session,
  { top, mistakes = [], typed = { name: "", description: "" } }: Parts,
) {
  const plan = await callerOfAccount(context, session.accountId);
  const [{ data, meta }, makers, isMailed, owners] = await Promise.all([
    readWatchlists(context, plan),
    listMakers(context, session.accountId),
    hasMail(context, session.accountId),
    ownersOf(context, session.accountId),
  ]);
  const lack = watchLack(context, plan);
  const body = html`<h1>Watchlists</h1>
${top}
<p>A watchlist is a list of carriers that you follow, such as those that you insure or hire. You see here what changed at them:
authority, insurance, orders, address, contact, fleet. ${WATCH_COST}</p>
${lack && notice("info", html`<p>${lack}</p>`, { id: "lack-title", text: "Your plan watches no carriers" })}
${facts([["Carriers watched", `${shownCount(meta.watched_carriers)} of ${shownCount(meta.watched_carriers_limit)}`]])}
<h2>Your lists</h2>
${data.length === 0 ? noLists(session, lack === null) : listTable(context, data, makers)}
${
  lack === null &&
  mayDo(session.person.role, "make watchlists") &&
  html`<h2>Make a list</h2>
<form class="stack" method="post" action="${dashboardLink(context, HERE)}">
${formToken(session)}
${listFields(typed, mistakes)}
<button>Make a list</button>
</form>`
}
${(lack === null || isMailed) && mailPart(context, session, { isOn: isMailed, owners })}`;
  return { title: "Watchlists", body, session, here: HERE };
}

const noLists = ({ person }: Session, canWatch: boolean): Html =>
  emptyState({
    title: "No list yet",
    text: canWatch
      ? offered(
          person.role,
          "make watchlists",
          "Make one below, then add carriers by their USDOT or docket numbers, typed or from a file. A list itself costs nothing; each carrier on it costs one row a month.",
        )
      : "Lists can be made when the plan watches carriers.",
  });

const listTable = (
  context: EntryContext,
  lists: components["schemas"]["WatchlistsOut"]["data"],
  makers: ReadonlyMap<number, string | null>,
): Html =>
  table({
    label: "Your lists",
    rowsAreCards: true,
    rows: lists,
    columns: [
      {
        head: "Name",
        cell: ({ id, name }) => html`<a href="${dashboardLink(context, `${HERE}/${id}`)}">${name}</a>`,
      },
      { head: "Carriers", cell: ({ carriers }) => carriers, isNumber: true },
      { head: "Your own note", cell: ({ description }) => description, isLong: true },
      { head: "Made", cell: ({ created_at }) => shownTime(created_at) },
      { head: "Made by", cell: ({ id }) => madeBy(makers.get(id)) },
    ],
  });

const mailPart = (
  context: EntryContext,
  session: Session,
  { isOn, owners }: { isOn: boolean; owners: readonly string[] },
): Html => html`<h2>Daily mail</h2>
<p>${
  isOn
    ? html`The daily mail is on. On each day on which a carrier of your lists changed, ${getters(owners)} the changes.`
    : html`The daily mail is off. When it is on, ${getters(owners)} the changes of your carriers, once a day and only when there are some.`
}</p>
${
  mayDo(session.person.role, "switch the daily mail") &&
  html`<form class="row" method="post" action="${dashboardLink(context, `${HERE}/mail`)}">
${formToken(session)}
<button class="quiet" name="mail" value="${isOn ? "off" : "on"}">${isOn ? "Switch the mail off" : "Switch the mail on"}</button>
</form>`
}`;

/** Who gets the mail, up to the verb: the account's mails go to its owners. */
const getters = (owners: readonly string[]): string =>
  owners.length === 1 ? `${owners[0]} gets` : `the owners (${owners.join(", ")}) get`;
