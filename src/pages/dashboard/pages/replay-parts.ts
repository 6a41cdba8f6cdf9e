import type { Session } from "../../../accounts/sessions/sessions.ts";
import type { components } from "../../../generated/types.ts";
import type { EntryContext } from "../../../platform/context.ts";
import type { ReplayCount, Replayed } from "../../../webhooks/replay/replay.ts";
import { type Html, html } from "../../kit/html.ts";
import { shownCount } from "../../kit/number.ts";
import { formToken } from "../layout.ts";
import { placeOfEndpoint } from "./webhook-parts.ts";

type Endpoint = components["schemas"]["WebhookOut"];

/** The range typed into the form of a replay, in UTC. */
export interface TypedRange {
  from: string;
  to: string;
  delivered: boolean;
}

/** The address of the page that counts a range before it is replayed. */
export const placeOfReplay = (context: EntryContext, endpoint: Endpoint, typed: TypedRange): string => {
  const search = new URLSearchParams({ ...typed, delivered: String(typed.delivered) });
  return `${placeOfEndpoint(context, endpoint)}/replay?${search.toString()}`;
};

/** The form that asks how many deliveries a range has. */
export const replayForm = (
  context: EntryContext,
  endpoint: Endpoint,
  typed: TypedRange,
): Html => html`<form class="stack" method="get" action="${placeOfEndpoint(context, endpoint)}/replay">
<label for="from">Events detected from (UTC)</label>
<input id="from" name="from" type="datetime-local" required value="${typed.from}">
<label for="to">up to (UTC)</label>
<input id="to" name="to" type="datetime-local" required value="${typed.to}">
<label class="check"><input type="checkbox" name="delivered" value="true"${typed.delivered && html` checked`}> also send delivered events again</label>
<button class="quiet">Count them</button>
</form>`;

/** The page of a replay: what it would send, or what it has queued. */
export const replayPage = (
  context: EntryContext,
  session: Session,
  endpoint: Endpoint,
  page: { typed: TypedRange; wrong?: string; count?: ReplayCount; done?: Replayed },
): Html => html`<p><a href="${placeOfEndpoint(context, endpoint)}">Endpoint ${endpoint.id}</a></p>
<h1>Replay a range</h1>
${page.wrong && html`<p class="notice bad" role="alert">${page.wrong}</p>`}
${page.done && html`<p class="notice" role="status">${page.done.queued === 0 ? "There was nothing to send." : `${deliveries(page.done.queued, "is queued and will", "are queued and will")} be sent now.`}</p>`}
${nextStep(context, session, endpoint, page)}`;

/** `1 delivery is`, `2 deliveries are`. */
const deliveries = (count: number, one = "", several = ""): string =>
  `${shownCount(count)} ${count === 1 ? `delivery ${one}` : `deliveries ${several}`}`.trim();

function nextStep(
  context: EntryContext,
  session: Session,
  endpoint: Endpoint,
  { typed, count, done }: Parameters<typeof replayPage>[3],
): Html {
  if (done?.rest) return continueReplay(context, session, endpoint, typed, done.rest);
  if (count) return confirmReplay(context, session, endpoint, typed, count);
  return replayForm(context, endpoint, typed);
}

const continueReplay = (
  context: EntryContext,
  session: Session,
  endpoint: Endpoint,
  typed: TypedRange,
  rest: NonNullable<Replayed["rest"]>,
): Html => html`<p>The range is long. A part of it is not queued yet.</p>
<form class="row" method="post" action="${placeOfEndpoint(context, endpoint)}/replay">
${rangeFields(session, typed, rest.startedAt)}
<input type="hidden" name="after" value="${rest.after}">
<button>Continue</button>
<a class="button quiet" href="${placeOfEndpoint(context, endpoint)}">Stop here</a>
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
  context: EntryContext,
  session: Session,
  endpoint: Endpoint,
  typed: TypedRange,
  count: ReplayCount,
): Html => html`<p>From ${typed.from} up to ${typed.to} (UTC), <strong>${deliveries(count.deliveries)}</strong> would be sent:
${shownCount(count.never_queued)} never queued, ${shownCount(count.cancelled)} cancelled, ${shownCount(count.failed)} failed, ${shownCount(count.retrying)} waiting for a retry, ${shownCount(count.delivered)} delivered before.</p>
<form class="row" method="post" action="${placeOfEndpoint(context, endpoint)}/replay">
${rangeFields(session, typed, count.started_at)}
${count.deliveries > 0 && html`<button>Send them</button>`}
<a class="button quiet" href="${placeOfEndpoint(context, endpoint)}">Back</a>
</form>`;
