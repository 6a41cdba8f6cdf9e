import type { Request } from "express";
import { callerOfAccount } from "../../../accounts/keys/account-caller.ts";
import type { Caller } from "../../../accounts/keys/caller.ts";
import { EVENT_TYPES, type EventType, eventTypeLabel } from "../../../events/event-types.ts";
import { type RecentEvents, recentEvents } from "../../../events/newest.ts";
import { planScope } from "../../../events/scope.ts";
import type { EntryContext } from "../../../platform/context.ts";
import { InvalidRequestError } from "../../../platform/http/invalid-request.ts";
import { ProblemError } from "../../../platform/http/problem.ts";
import { dashboardLink } from "../../frame/links.ts";
import { choice, field } from "../../kit/field.ts";
import { type Html, html } from "../../kit/html.ts";
import { emptyState, errorNotice } from "../../kit/notice.ts";
import { pager } from "../../kit/pager.ts";
import type { Routes } from "../dashboard.ts";
import { sendPage } from "../layout.ts";
import { eventList } from "../parts/event-list.ts";
import { queryOf } from "../parts/form-fields.ts";
import { howToGetMore, noApiAccess, type PlanShown } from "../parts/plan-note.ts";
import { problemOf, type ShownProblem } from "../problem-page.ts";

const HERE = "/events";
const EVENTS_SHOWN = 25;

/** Routes the page of the newest authority events of the plan. */
export const eventRoutes: Routes = (router, context, guard) => {
  router.get(
    HERE,
    guard(async (request, response, session) => {
      const asked = askedOf(request);
      const caller = await callerOfAccount(context, session.accountId);
      const types = [...planScope(caller).keys()];
      const result = types.length === 0 ? null : await read(context, caller, asked);
      const status = result !== null && "detail" in result ? result.status : 200;
      const body = eventsPage(context, caller, { types, asked, result });
      sendPage(context, response, { title: "Events", status, body, session, here: HERE });
    }),
  );
};

interface Asked {
  type: string;
  state: string;
  usdot: string;
  before: string;
}

function askedOf(request: Request): Asked {
  const sent = queryOf(request);
  const of = (name: keyof Asked) => sent.get(name)?.trim() ?? "";
  return { type: of("type"), state: of("state"), usdot: of("usdot"), before: of("before") };
}

async function read(
  context: EntryContext,
  caller: Caller,
  asked: Asked,
): Promise<RecentEvents | ShownProblem> {
  const wrong = (detail: string) => ({ status: 400, title: "Invalid input", detail });
  if (asked.type !== "" && !EVENT_TYPES.includes(asked.type as EventType))
    return wrong("There is no such event type.");
  if (!/^\d{0,8}$/.test(asked.usdot)) return wrong("A USDOT number has 1 to 8 digits.");
  if (!/^\d{0,15}$/.test(asked.before)) return wrong("before must be the number of an event.");
  try {
    return await recentEvents(context, caller, {
      ...(asked.type !== "" && { type: [asked.type as EventType] }),
      ...(asked.state !== "" && { state: asked.state.split(",") }),
      ...(asked.usdot !== "" && { usdot: Number(asked.usdot) }),
      ...(asked.before !== "" && { before: Number(asked.before) }),
      limit: EVENTS_SHOWN,
    });
  } catch (error) {
    if (error instanceof InvalidRequestError) {
      return wrong("States are two-letter codes like TX, separated by commas.");
    }
    if (error instanceof ProblemError) return problemOf(error);
    throw error;
  }
}

interface EventsPage {
  /** The event types of the plan. */
  types: readonly EventType[];
  asked: Asked;
  /** Null when the plan has no event type. */
  result: RecentEvents | ShownProblem | null;
}

const eventsPage = (context: EntryContext, plan: PlanShown, page: EventsPage): Html => html`<h1>Events</h1>
<p>Changes of operating authority, newest first.
${plan.hasApiAccess && html`Your own systems can read them with <code>GET /v1/events</code> or receive them by <a href="${dashboardLink(context, "/webhooks")}">webhook</a>.`}
Looking at them here is free.</p>
${noApiAccess(context, plan)}
${
  page.result === null
    ? emptyState({
        title: "Your plan includes no events",
        text: html`None of its feeds carries events. ${howToGetMore(context, plan)}`,
      })
    : html`${filterForm(context, page)}
${resultOf(context, page.asked, page.result)}`
}`;

const filterForm = (
  context: EntryContext,
  { types, asked }: EventsPage,
): Html => html`<form method="get" action="${dashboardLink(context, HERE)}">
<div class="fields">
${choice({
  name: "type",
  label: "Type",
  value: asked.type,
  choices: [["", "all types of your plan"], ...types.map((type) => [type, eventTypeLabel(type)] as const)],
})}
${field({ name: "state", label: "States", value: asked.state, placeholder: "TX, CA", maxLength: 400 })}
${field({ name: "usdot", label: "USDOT number", value: asked.usdot, isNumber: true, maxLength: 8 })}
</div>
<p class="row actions"><button>Show events</button>
<a class="button quiet" href="${dashboardLink(context, HERE)}">Clear</a></p>
</form>`;

function resultOf(context: EntryContext, asked: Asked, result: RecentEvents | ShownProblem): Html {
  if ("detail" in result) return errorNotice(result.detail);
  const { events, hasOlder } = result;
  const here = dashboardLink(context, HERE);
  const hrefOf = (before: string) => `${here}?${new URLSearchParams({ ...asked, before }).toString()}`;
  const newest = asked.before !== "" && { href: hrefOf(""), name: "Newest events" };
  if (events.length === 0) {
    const isFiltered = Object.values(asked).some((typed) => typed !== "");
    return isFiltered
      ? emptyState({
          title: "No event matches",
          text: "Your plan has no event of this type, in these states or of this business.",
          action: html`<a class="button quiet" href="${here}">Show all events</a>`,
        })
      : emptyState({
          title: "No events yet",
          text: "The service compares the registry of each day with the day before. The first change appears here.",
        });
  }
  return html`${eventList(context, events)}
${pager({ newest, older: hasOlder && { href: hrefOf(String(events.at(-1)?.id)), name: "Older events" } })}`;
}
