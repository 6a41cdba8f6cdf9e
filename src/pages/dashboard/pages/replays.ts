import type { Response } from "express";
import { requireApiAccess } from "../../../accounts/keys/caller.ts";
import { mayDo } from "../../../accounts/people/roles.ts";
import type { Session } from "../../../accounts/sessions/sessions.ts";
import { DAY_MS } from "../../../platform/clock.ts";
import type { EntryContext } from "../../../platform/context.ts";
import { countOf, shownCount } from "../../../platform/plural.ts";
import { instantMs } from "../../../platform/rfc3339.ts";
import { noSuchEndpoint } from "../../../webhooks/endpoints/endpoints.ts";
import { countReplay, type ReplayCount, type Replayed, replay } from "../../../webhooks/replay/replay.ts";
import {
  type AskedReplay,
  LONGEST_REPLAY_DAYS,
  REPLAY_KINDS,
  type ReplayRefusal,
} from "../../../webhooks/replay/replay-range.ts";
import { cards } from "../../kit/card.ts";
import { field, type Mistake, mistakeList, wrongIn } from "../../kit/field.ts";
import { type Html, html } from "../../kit/html.ts";
import { toast } from "../../kit/notice.ts";
import { formToken, sendPage } from "../dashboard-page.ts";
import { noteOf, redirectWithNote } from "../parts/after-action.ts";
import { endpointLink } from "../parts/endpoint-words.ts";
import { fieldOf, instantOf, NOT_A_TIME, NOT_AFTER, queryOf } from "../parts/form-fields.ts";
import type { Routes } from "../signed-in.ts";
import { isPaused } from "./deliveries.ts";
import { type Endpoint, type EndpointHead, endpointHead } from "./endpoint-parts.ts";
import { endpointWithHealth, idOf } from "./webhooks.ts";

const HERE = "/webhooks";
/** A step looks at some thousand events; so many keep a request to a few seconds. */
const STEPS_IN_A_REQUEST = 10;

/** Replaying a range: a page that counts its deliveries and changes nothing, and a change that sends them. */
export const replayRoutes: Routes = (pages, context) => {
  pages.get("/webhooks/:id/replay", async (request, response, session) => {
    const typed = typedRange((name) => queryOf(request).get(name) ?? "");
    const head = await endpointWithHealth(context, session, idOf(request.params.id));
    const send = (page: Partial<ReplayPage>) =>
      sendReplay(context, response, session, { ...head, typed, ...page });
    if (typed.from === "" && typed.to === "") return send({});
    const asked = askedBy(session, head.endpoint.id, typed);
    if (Array.isArray(asked)) return send({ mistakes: asked });
    const done = await noteOf<Replayed>(context, request);
    if (done !== null && done !== "gone") return send({ done });
    send({ count: accepted(await countReplay(context, asked)) });
  });
  pages.post("/webhooks/:id/replay", "send deliveries", async (request, response, session) => {
    const typed = typedRange((name) => fieldOf(request, name));
    const head = await endpointWithHealth(context, session, idOf(request.params.id));
    const asked = askedBy(session, head.endpoint.id, typed);
    if (Array.isArray(asked)) {
      return sendReplay(context, response, session, { ...head, typed, mistakes: asked });
    }
    requireApiAccess(head.plan);
    // A replay that is confirmed twice continues where it was and sends nothing twice.
    const resumed = { ...startedAt(fieldOf(request, "started_at")), ...after(fieldOf(request, "after")) };
    const options = { mostSteps: STEPS_IN_A_REQUEST };
    const note = accepted(await replay(context, { ...asked, ...resumed }, options));
    const address = replayLink(context, head.endpoint, typed);
    await redirectWithNote(context, request, response, { address, note });
  });
};

const typedRange = (of: (name: string) => string): TypedRange => ({
  from: of("from"),
  to: of("to"),
  delivered: of("delivered") === "true",
});

/** The requested replay, or what is wrong with its range. */
function askedBy({ accountId }: Session, endpointId: number, typed: TypedRange): AskedReplay | Mistake[] {
  const [from, to] = [instantOf(typed.from), instantOf(typed.to)];
  if (from === null || to === null) {
    return [
      ...(from === null ? [wrongRange("from", NOT_A_TIME)] : []),
      ...(to === null ? [wrongRange("to", NOT_A_TIME)] : []),
    ];
  }
  if (from >= to) return [wrongRange("to", NOT_AFTER)];
  if (to.getTime() - from.getTime() > LONGEST_REPLAY_DAYS * DAY_MS) {
    return [wrongRange("to", `Choose a range of at most ${LONGEST_REPLAY_DAYS} days.`)];
  }
  return { endpointId, accountId, from, to, ...(typed.delivered && { kinds: REPLAY_KINDS }) };
}

function accepted<Result extends object>(result: Result | ReplayRefusal): Result {
  if (result === "not_found") throw noSuchEndpoint();
  if (result === "paused") throw isPaused();
  return result;
}

function sendReplay(context: EntryContext, response: Response, session: Session, page: ReplayPage): void {
  const body = replayPage(context, session, page);
  const status = page.mistakes === undefined ? 200 : 400;
  sendPage(context, response, { title: "Replay", status, body, session, here: HERE });
}

function startedAt(text: string): { startedAt?: Date } {
  const ms = instantMs(text);
  return ms === null ? {} : { startedAt: new Date(ms) };
}

const after = (text: string): { after?: number } => (/^\d{1,15}$/.test(text) ? { after: Number(text) } : {});

/** The range typed into the form of a replay, in UTC. */
interface TypedRange {
  from: string;
  to: string;
  delivered: boolean;
}

/** The address of the page that counts a range before it is replayed. */
const replayLink = (context: EntryContext, endpoint: Endpoint, typed: TypedRange): string => {
  const search = new URLSearchParams({ ...typed, delivered: String(typed.delivered) });
  return `${endpointLink(context, endpoint)}/replay?${search.toString()}`;
};

interface ReplayPage extends EndpointHead {
  typed: TypedRange;
  mistakes?: readonly Mistake[];
  count?: ReplayCount;
  done?: Replayed;
}

/** The page of a replay: the form, what the replay would send, or what it has queued. */
const replayPage = (context: EntryContext, session: Session, page: ReplayPage): Html => {
  const address = `${endpointLink(context, page.endpoint)}/replay`;
  return html`${endpointHead(context, session, page, "replay")}
<h2>Replay a range</h2>
${mistakeList("Nothing is counted or sent.", page.mistakes ?? [])}
${page.done && toast(page.done.queued === 0 ? "There was nothing to send." : `${countOf(page.done.queued, "delivery is", "deliveries are")} queued and will be sent now.`)}
${nextStep(address, session, page)}`;
};

function nextStep(address: string, session: Session, { typed, mistakes, count, done }: ReplayPage): Html {
  if (done?.rest) return continueReplay(address, session, typed, done.rest);
  if (count) return confirmReplay(address, session, typed, count);
  return replayForm(address, typed, mistakes ?? []);
}

const LABELS = { from: "Events detected from (UTC)", to: "up to (UTC)" };

const wrongRange = (name: keyof typeof LABELS, message: string): Mistake => ({
  name,
  label: LABELS[name],
  message,
});

/** The form that asks how many deliveries a range has. */
const replayForm = (
  address: string,
  typed: TypedRange,
  mistakes: readonly Mistake[],
): Html => html`<p>Sends missed events: those that came while the endpoint was paused, and deliveries that were cancelled or failed.
First you see how many they are.</p>
<form class="stack" method="get" action="${address}">
${field({ name: "from", label: LABELS.from, type: "datetime-local", value: typed.from, isRequired: true, ...wrongIn(mistakes, "from") })}
${field({ name: "to", label: LABELS.to, type: "datetime-local", value: typed.to, isRequired: true, ...wrongIn(mistakes, "to") })}
<label class="check"><input type="checkbox" name="delivered" value="true"${typed.delivered && html` checked`}> also send delivered events again</label>
<button class="quiet">Count them</button>
</form>`;

const continueReplay = (
  address: string,
  session: Session,
  typed: TypedRange,
  rest: NonNullable<Replayed["rest"]>,
): Html => html`<p>The range is long. A part of it is not queued yet.</p>
<form class="row" method="post" action="${address}">
${rangeFields(session, typed, rest.startedAt)}
<input type="hidden" name="after" value="${rest.after}">
<button>Continue</button>
<a class="button quiet" href="${address}">Stop here</a>
</form>`;

const rangeFields = (
  session: Session,
  typed: TypedRange,
  startedAt: string,
): Html => html`${formToken(session)}
<input type="hidden" name="from" value="${typed.from}">
<input type="hidden" name="to" value="${typed.to}">
<input type="hidden" name="delivered" value="${String(typed.delivered)}">
<input type="hidden" name="started_at" value="${startedAt}">`;

const confirmReplay = (
  address: string,
  session: Session,
  typed: TypedRange,
  count: ReplayCount,
): Html => html`<p>From ${inWords(typed.from)} up to ${inWords(typed.to)} (UTC), <strong>${countOf(count.deliveries, "delivery", "deliveries")}</strong> would be sent:</p>
${cards([
  { title: "Never queued", value: shownCount(count.counts.missed) },
  { title: "Cancelled", value: shownCount(count.counts.cancelled) },
  { title: "Failed", value: shownCount(count.counts.failed) },
  { title: "Waiting for a retry", value: shownCount(count.counts.retrying) },
  { title: "Delivered before", value: shownCount(count.counts.delivered) },
])}
<form class="row" method="post" action="${address}">
${rangeFields(session, typed, count.started_at)}
${count.deliveries > 0 && mayDo(session.person.role, "send deliveries") && html`<button>Send them</button>`}
<a class="button quiet" href="${address}">Choose another range</a>
</form>`;

/** `2026-11-21T13:00` as `2026-11-21 13:00`. */
const inWords = (time: string): string => time.replace("T", " ");
