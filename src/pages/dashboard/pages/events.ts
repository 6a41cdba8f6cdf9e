import type { Request } from "express";
import { type Caller, callerOfAccount } from "../../../accounts/keys/caller.ts";
import { eventsByDay } from "../../../events/by-day.ts";
import { EVENT_TYPES, type EventType, eventTypeLabel } from "../../../events/event-types.ts";
import { type RecentEvents, recentEvents } from "../../../events/newest.ts";
import { planScope } from "../../../events/scope.ts";
import type { EntryContext } from "../../../platform/context.ts";
import { ProblemError } from "../../../platform/http/problem.ts";
import { STATE_CODES } from "../../../registry/places/state-codes.ts";
import { dashboardLink } from "../../frame/links.ts";
import { choice, field, type Mistake, mistakeList, wrongIn } from "../../kit/field.ts";
import { type Html, html } from "../../kit/html.ts";
import { pager } from "../../kit/navigation.ts";
import { emptyState, errorNotice, noneOlder } from "../../kit/notice.ts";
import { sendPage } from "../dashboard-page.ts";
import { eventsChart } from "../parts/charts/events-chart.ts";
import { eventList } from "../parts/event-list.ts";
import { NOT_IN_LIST, queryValues } from "../parts/form-fields.ts";
import { howToGetMore, noApiAccess, type PlanShown } from "../plan-note.ts";
import { problemOf, type ShownProblem } from "../problem-page.ts";
import type { Routes } from "../signed-in.ts";

const HERE = "/events";
const EVENTS_SHOWN = 25;

/** Routes the page of the newest authority events of the plan. */
export const eventRoutes: Routes = (pages, context) => {
  pages.get(HERE, async (request, response, session) => {
    const asked = askedOf(request);
    const caller = await callerOfAccount(context, session.accountId);
    const types = [...planScope(caller).keys()];
    const mistakes = mistakesIn(asked);
    const isRead = types.length > 0 && mistakes.length === 0;
    const result = isRead ? await read(context, caller, asked) : null;
    const isFirst = Object.values(asked).every((typed) => typed === "");
    const byDay = isFirst && result !== null ? await eventsByDay(context, caller) : null;
    const isRefused = result !== null && "detail" in result;
    const status = isRefused ? result.status : mistakes.length > 0 ? 400 : 200;
    const body = eventsPage(context, caller, { types, asked, mistakes, result, byDay });
    sendPage(context, response, { title: "Events", status, body, session, here: HERE });
  });
};

type Asked = ReturnType<typeof askedOf>;

const askedOf = (request: Request) => queryValues(request, "type", "state", "usdot", "before");

async function read(
  context: EntryContext,
  caller: Caller,
  asked: Asked,
): Promise<RecentEvents | ShownProblem> {
  if (!/^\d{0,15}$/.test(asked.before)) throw new ProblemError("not_found", "There are no such events.");
  try {
    return await recentEvents(context, caller, {
      ...(asked.type !== "" && { type: [asked.type as EventType] }),
      ...(asked.state !== "" && { state: statesOf(asked) }),
      ...(asked.usdot !== "" && { usdot: Number(asked.usdot) }),
      ...(asked.before !== "" && { before: Number(asked.before) }),
      limit: EVENTS_SHOWN,
    });
  } catch (error) {
    if (error instanceof ProblemError) return problemOf(error);
    throw error;
  }
}

const statesOf = ({ state }: Asked): string[] => state.split(",").map((code) => code.trim().toUpperCase());

/** What is wrong with the values of the form. */
const mistakesIn = (asked: Asked): Mistake[] =>
  [
    asked.type !== "" &&
      !EVENT_TYPES.includes(asked.type as EventType) && {
        name: "type",
        label: "Type",
        message: NOT_IN_LIST,
      },
    asked.state !== "" &&
      !statesOf(asked).every((code) => STATE_CODES.includes(code)) && {
        name: "state",
        label: "States",
        message: "Write two-letter codes of US states with commas between them, like TX, CA.",
      },
    !/^\d{0,8}$/.test(asked.usdot) && {
      name: "usdot",
      label: "USDOT number",
      message: "Write 1 to 8 digits.",
    },
  ].filter((each) => each !== false);

interface EventsPage {
  /** The event types of the plan. */
  types: readonly EventType[];
  asked: Asked;
  mistakes: readonly Mistake[];
  /** Null when the plan has no event type, or something is wrong with what is asked. */
  result: RecentEvents | ShownProblem | null;
  /** Null while the list is filtered or older events are shown. */
  byDay: Awaited<ReturnType<typeof eventsByDay>> | null;
}

const eventsPage = (context: EntryContext, plan: PlanShown, page: EventsPage): Html => html`<h1>Events</h1>
<p>Changes of operating authority, newest first.
${plan.hasApiAccess && html`Your own systems can read them with <code>GET /v1/events</code> or receive them by <a href="${dashboardLink(context, "/webhooks")}">webhook</a>.`}
Looking at them here is free.</p>
${noApiAccess(context, plan)}
${
  page.types.length === 0
    ? emptyState({
        title: "Your plan includes no events",
        text: html`None of its feeds carries events. ${howToGetMore(context, plan)}`,
      })
    : html`${mistakeList("No events are shown.", page.mistakes)}
${filterForm(context, page)}
${page.result && !("detail" in page.result) && page.byDay && eventsChart(page.byDay)}
${page.result && resultOf(context, page.asked, page.result)}`
}`;

const filterForm = (
  context: EntryContext,
  { types, asked, mistakes }: EventsPage,
): Html => html`<form method="get" action="${dashboardLink(context, HERE)}">
<div class="fields">
${choice({
  name: "type",
  label: "Type",
  value: asked.type,
  choices: [["", "all types of your plan"], ...types.map((type) => [type, eventTypeLabel(type)] as const)],
  ...wrongIn(mistakes, "type"),
})}
${field({ name: "state", label: "States", value: asked.state, placeholder: "TX, CA", maxLength: 400, ...wrongIn(mistakes, "state") })}
${field({ name: "usdot", label: "USDOT number", value: asked.usdot, isNumber: true, maxLength: 8, ...wrongIn(mistakes, "usdot") })}
</div>
<p class="row actions"><button>Show events</button>
<a class="button quiet" href="${dashboardLink(context, HERE)}">Clear</a></p>
</form>`;

function resultOf(context: EntryContext, asked: Asked, result: RecentEvents | ShownProblem): Html {
  if ("detail" in result) return errorNotice(result.detail);
  const { events, hasOlder } = result;
  const here = dashboardLink(context, HERE);
  const hrefOf = (before: string) => `${here}?${new URLSearchParams({ ...asked, before }).toString()}`;
  const newest = { href: hrefOf(""), name: "Newest events" };
  if (events.length === 0) {
    if (asked.before !== "") return noneOlder("events", newest);
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
${pager({ newest: asked.before !== "" && newest, older: hasOlder && { href: hrefOf(String(events.at(-1)?.id)), name: "Older events" } })}`;
}
