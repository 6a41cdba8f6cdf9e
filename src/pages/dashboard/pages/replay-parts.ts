import type { Session } from "../../../accounts/sessions/sessions.ts";
import type { EntryContext } from "../../../platform/context.ts";
import type { ReplayCount, Replayed } from "../../../webhooks/replay/replay.ts";
import { cards } from "../../kit/card.ts";
import { field, type Mistake, mistakeList, wrongIn } from "../../kit/field.ts";
import { type Html, html } from "../../kit/html.ts";
import { toast } from "../../kit/notice.ts";
import { shownCount } from "../../kit/number.ts";
import { formToken } from "../layout.ts";
import { endpointLink } from "../parts/endpoint-address.ts";
import { type Endpoint, type EndpointHead, endpointHead } from "./endpoint-parts.ts";

/** The range typed into the form of a replay, in UTC. */
export interface TypedRange {
  from: string;
  to: string;
  delivered: boolean;
}

/** The address of the page that counts a range before it is replayed. */
export const replayLink = (context: EntryContext, endpoint: Endpoint, typed: TypedRange): string => {
  const search = new URLSearchParams({ ...typed, delivered: String(typed.delivered) });
  return `${endpointLink(context, endpoint)}/replay?${search.toString()}`;
};

export interface ReplayPage extends EndpointHead {
  typed: TypedRange;
  mistakes?: readonly Mistake[];
  count?: ReplayCount;
  done?: Replayed;
}

/** The page of a replay: the form, what the replay would send, or what it has queued. */
export const replayPage = (context: EntryContext, session: Session, page: ReplayPage): Html => {
  const address = `${endpointLink(context, page.endpoint)}/replay`;
  return html`${endpointHead(context, session, page, "replay")}
<h2>Replay a range</h2>
${mistakeList("Nothing is counted or sent.", page.mistakes ?? [])}
${page.done && toast(page.done.queued === 0 ? "There was nothing to send." : `${deliveries(page.done.queued, "is queued and will", "are queued and will")} be sent now.`)}
${nextStep(address, session, page)}`;
};

/** `1 delivery is`, `2 deliveries are`. */
const deliveries = (count: number, one = "", several = ""): string =>
  `${shownCount(count)} ${count === 1 ? `delivery ${one}` : `deliveries ${several}`}`.trim();

function nextStep(address: string, session: Session, { typed, mistakes, count, done }: ReplayPage): Html {
  if (done?.rest) return continueReplay(address, session, typed, done.rest);
  if (count) return confirmReplay(address, session, typed, count);
  return replayForm(address, typed, mistakes ?? []);
}

const LABELS = { from: "Events detected from (UTC)", to: "up to (UTC)" };

export const wrongRange = (name: keyof typeof LABELS, message: string): Mistake => ({
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
): Html => html`<p>From ${inWords(typed.from)} up to ${inWords(typed.to)} (UTC), <strong>${deliveries(count.deliveries)}</strong> would be sent:</p>
${cards([
  { title: "Never queued", value: shownCount(count.counts.missed) },
  { title: "Cancelled", value: shownCount(count.counts.cancelled) },
  { title: "Failed", value: shownCount(count.counts.failed) },
  { title: "Waiting for a retry", value: shownCount(count.counts.retrying) },
  { title: "Delivered before", value: shownCount(count.counts.delivered) },
])}
<form class="row" method="post" action="${address}">
${rangeFields(session, typed, count.started_at)}
${count.deliveries > 0 && html`<button>Send them</button>`}
<a class="button quiet" href="${address}">Choose another range</a>
</form>`;

/** `2026-11-21T13:00` as `2026-11-21 13:00`. */
const inWords = (time: string): string => time.replace("T", " ");
