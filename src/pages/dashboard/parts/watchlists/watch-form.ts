import type { Request } from "express";
import type { Caller } from "../../../../accounts/keys/caller.ts";
import { mayDo } from "../../../../accounts/people/roles.ts";
import type { Session } from "../../../../accounts/sessions/sessions.ts";
import type { EntryContext } from "../../../../platform/context.ts";
import { listNames, listsWith } from "../../../../watchlists/watchlists.ts";
import { dashboardLink } from "../../../frame/links.ts";
import { choice } from "../../../kit/field.ts";
import { type Html, html } from "../../../kit/html.ts";
import { formToken } from "../../dashboard-page.ts";
import { noteOf } from "../after-action.ts";
import { outcomeNotice, type WatchOutcome } from "./watch-outcome.ts";
import { WATCH_COST, type WatchPlan, watchLack } from "./watch-words.ts";

/** The value that asks for a list that is not there yet, and the list's name. */
export const NEW_LIST = { value: "new", name: "Watched" };

/** Where on a carrier's page the form is, with what was done. */
export const WATCH_PART = "watch";

/** The part of a carrier's page that puts the carrier on a list or takes it off, and says what was done. */
export async function watchForm(
  context: EntryContext,
  request: Request,
  session: Session,
  { plan, usdot }: { plan: WatchPlan & Caller; usdot: number },
): Promise<Html> {
  const [lists, having, note] = await Promise.all([
    listNames(context, session.accountId),
    listsWith(context, session.accountId, usdot),
    noteOf<WatchOutcome>(context, request),
  ]);
  const lack = watchLack(context, plan);
  const mayChange = mayDo(session.person.role, "change watchlists");
  const others = lists.filter(({ id }) => having.every((list) => list.id !== id));
  return html`<section id="${WATCH_PART}">
<h2>Watch</h2>
${note !== null && note !== "gone" && outcomeNotice(context, session, note)}
${having.map(
  ({
    id,
    name,
  }) => html`<form class="row" method="post" action="${dashboardLink(context, `/watchlists/${id}/remove`)}">
${formToken(session)}
<input type="hidden" name="usdot" value="${usdot}"><input type="hidden" name="from" value="carrier">
<span>On your list <a href="${dashboardLink(context, `/watchlists/${id}`)}">${name}</a>.</span>
${mayChange && html`<button class="danger small" aria-label="Remove from ${name}">Remove</button>`}
</form>
`,
)}${!mayChange ? READERS_LOOK : lack === null ? choiceOf(context, session, { usdot, others, isWatched: having.length > 0 }) : html`<p>${lack}</p>`}
</section>`;
}

const READERS_LOOK = html`<p>Owners and members of the account put carriers on watchlists.</p>`;

const choiceOf = (
  context: EntryContext,
  session: Session,
  {
    usdot,
    others,
    isWatched,
  }: { usdot: number; others: readonly { id: number; name: string }[]; isWatched: boolean },
): Html | false =>
  (others.length > 0 || !isWatched) &&
  html`<form class="stack" method="post" action="${dashboardLink(context, `/carriers/${usdot}/watch`)}">
${formToken(session)}
${choice({
  name: "list",
  label: "List",
  value: String(others[0]?.id ?? NEW_LIST.value),
  choices: [
    ...others.map(({ id, name }) => [String(id), name] as const),
    [NEW_LIST.value, `${NEW_LIST.name} (a new list)`] as const,
  ],
})}
<p class="hint">${isWatched ? "Another list costs nothing more." : WATCH_COST}</p>
<button>Watch</button>
</form>`;
