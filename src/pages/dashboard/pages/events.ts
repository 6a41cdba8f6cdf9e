import type { Request } from "express";
import { callerOfAccount } from "../../../accounts/keys/account-caller.ts";
import type { Caller } from "../../../accounts/keys/caller.ts";
import type { EventOut } from "../../../events/event-row.ts";
import { EVENT_TYPES, type EventType, eventTypeLabel } from "../../../events/event-types.ts";
import { type RecentEvents, recentEvents } from "../../../events/newest.ts";
import { planScope } from "../../../events/scope.ts";
import type { EntryContext } from "../../../platform/context.ts";
import { InvalidRequestError } from "../../../platform/http/invalid-request.ts";
import { ProblemError } from "../../../platform/http/problem.ts";
import { dashboardLink } from "../../frame/links.ts";
import { type Html, html } from "../../kit/html.ts";
import { shownTime } from "../../kit/time.ts";
import type { Routes } from "../dashboard.ts";
import { sendPage } from "../layout.ts";
import { queryOf } from "../parts/form-fields.ts";
import { noApiAccess, type PlanShown } from "../parts/plan-note.ts";
import { problemOf, type ShownProblem } from "../problem-page.ts";

const EVENTS_SHOWN = 25;

/** Routes the page of the newest authority events of the plan. */
export const eventRoutes: Routes = (router, context, guard) => {
  router.get(
    "/events",
    guard(async (request, response, session) => {
      const asked = askedOf(request);
      const caller = await callerOfAccount(context, session.accountId);
      const types = [...planScope(caller).keys()];
      const result = types.length === 0 ? null : await read(context, caller, asked);
      const status = result !== null && "detail" in result ? result.status : 200;
      const body = eventsPage(context, caller, { types, asked, result });
      sendPage(context, response, { title: "Events", status, body, session, here: "/events" });
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

const eventsPage = (
  context: EntryContext,
  plan: PlanShown,
  {
    types,
    asked,
    result,
  }: { types: readonly EventType[]; asked: Asked; result: RecentEvents | ShownProblem | null },
): Html => html`<h1>Events</h1>
<p>Changes of operating authority, newest first.
${plan.hasApiAccess && html`Your own systems can read them with <code>GET /v1/events</code> or receive them by <a href="${dashboardLink(context, "/webhooks")}">webhook</a>.`}</p>
${noApiAccess(context, plan)}
<form method="get" action="${dashboardLink(context, "/events")}">
<div class="fields">
<div class="field"><label for="type">Type</label>
<select id="type" name="type"><option value="">all types of your plan</option>${types.map((type) => html`<option value="${type}"${type === asked.type && html` selected`}>${eventTypeLabel(type)}</option>`)}</select></div>
<div class="field"><label for="state">States</label>
<input id="state" name="state" value="${asked.state}" placeholder="TX, CA" maxlength="400"></div>
<div class="field"><label for="usdot">USDOT number</label>
<input id="usdot" name="usdot" value="${asked.usdot}" inputmode="numeric" maxlength="8"></div>
</div>
<p class="row"><button>Show events</button>
<a class="button quiet" href="${dashboardLink(context, "/events")}">Clear</a></p>
</form>
<p class="hint">Looking at events here is free.</p>
${resultOf(context, asked, result)}`;

function resultOf(context: EntryContext, asked: Asked, result: RecentEvents | ShownProblem | null): Html {
  if (result === null) return html`<p>Your plan includes no feed that carries events.</p>`;
  if ("detail" in result) return html`<p class="notice bad" role="alert">${result.detail}</p>`;
  const { events, hasOlder } = result;
  if (events.length === 0) return html`<p>No event matches.</p>`;
  const older = new URLSearchParams({ ...asked, before: String(events.at(-1)?.id) });
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Events">
<table>
<caption>Times are UTC.</caption>
<thead><tr><th scope="col">Detected</th><th scope="col">What</th><th scope="col">Business</th><th scope="col">State</th><th scope="col">On</th><th scope="col">Before</th><th scope="col">After</th><th scope="col">Reason</th></tr></thead>
<tbody>
${events.map(eventRow)}</tbody>
</table>
</div>
${hasOlder && html`<p><a class="button quiet" href="${dashboardLink(context, "/events")}?${older.toString()}">Older events</a></p>`}`;
}

const eventRow = ({
  id,
  type,
  usdot,
  docket,
  state,
  occurred_at,
  detected_at,
  data,
}: EventOut): Html => html`<tr>
<td>${shownTime(detected_at)}<br><code>evt_${id}</code></td>
<td>${eventTypeLabel(type as EventType)}</td>
<td>${data?.legal_name ?? "–"}<br>USDOT ${usdot}${docket && html`, ${docket}`}</td>
<td>${state ?? "–"}</td><td class="day">${occurred_at ?? "–"}</td>
<td>${word(data?.status_before)}</td><td>${word(data?.status_after)}</td><td>${word(data?.reason)}</td></tr>
`;

const word = (value: unknown): string => (typeof value === "string" ? value : "–");
