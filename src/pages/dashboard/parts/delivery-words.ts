import type { EntryContext } from "../../../platform/context.ts";
import { countOf, shownCount } from "../../../platform/plural.ts";
import type {
  AttemptShown,
  DeliveryShown,
  DeliveryStatus,
} from "../../../webhooks/deliveries/delivery-history.ts";
import type { FailureReason } from "../../../webhooks/egress/reasons.ts";
import { ATTEMPT_TIMEOUT_MS } from "../../../webhooks/egress/sender.ts";
import type { CancelReason } from "../../../webhooks/queue/cancel-queued.ts";
import { badge, type Tone } from "../../kit/badge.ts";
import { type Html, html } from "../../kit/html.ts";

const CANCEL_REASON_TEXTS: Record<CancelReason, string> = {
  paused: "the endpoint was paused",
  plan_changed: "the plan no longer includes it",
  removed: "the business was removed on request",
  unsubscribed: "its event type was removed from the endpoint",
  deleted: "the endpoint was deleted",
};

const FAILURE_REASON_TEXTS: Record<FailureReason, string> = {
  address_not_allowed: "the address is not public",
  connection_failed: "no connection",
  tls_failed: "the certificate or TLS failed",
  timed_out: `no complete answer within ${ATTEMPT_TIMEOUT_MS / 1000} s`,
  answer_not_2xx: "the answer was not 2xx",
  answer_too_large: "the answer was too large",
};

const TONES: Record<DeliveryStatus, Tone> = {
  queued: "plain",
  delivered: "good",
  failed: "bad",
  cancelled: "plain",
};

/** The status of a delivery; of a cancelled one with the reason. */
export const shownStatus = ({ status, cancel_reason, attempts }: DeliveryShown): Html => {
  if (status === "queued" && attempts.length > 0) return badge("warn", "waits for the next attempt");
  return html`${badge(TONES[status], status)}${cancel_reason !== null && ` ${CANCEL_REASON_TEXTS[cancel_reason]}`}`;
};

/** A sentence about when a failed delivery is tried again, by the configuration. */
export function shownRetries(retrySeconds: readonly number[]): string {
  if (retrySeconds.length === 0) return "A delivery that fails is not tried again.";
  return `A delivery that fails is tried again after ${shownWaits(retrySeconds)}, each time counted from the last attempt.`;
}

/** The waits between attempts: `1 minute, 10 minutes and 1 hour`. */
export function shownWaits(retrySeconds: readonly number[]): string {
  const waits = retrySeconds.map(shownWait);
  const last = waits.pop() ?? "";
  return waits.length === 0 ? last : `${waits.join(", ")} and ${last}`;
}

const UNITS = [
  [3_600, "hour"],
  [60, "minute"],
  [1, "second"],
] as const;

/** A time in the largest unit that divides it. */
function shownWait(seconds: number): string {
  const [unitSeconds, unit] = UNITS.find(([size]) => seconds % size === 0) ?? [1, "second"];
  const amount = seconds / unitSeconds;
  return countOf(amount, unit);
}

/** The outcome of an attempt: the status of the answer, and why it failed. */
export const shownOutcome = ({ http_status, reason }: Pick<AttemptShown, "http_status" | "reason">): Html =>
  html`${badge(reason === null ? "good" : "bad", http_status === null ? "no answer" : String(http_status))}${reason !== null && ` ${FAILURE_REASON_TEXTS[reason]}`}`;

/** Whether an attempt is due or under way, so that its result can be waited for. */
const isAwaited = ({ clock }: EntryContext, { status, due_at }: DeliveryShown): boolean =>
  status === "queued" && (due_at === null || Date.parse(due_at) <= clock.now().getTime());

/**
 * The newest answer of the receiver, or that it is awaited. The page's script loads an awaited answer; `here` is the address
 * of the page.
 */
export function deliveryOutcome(context: EntryContext, delivery: DeliveryShown, here: string): Html | false {
  if (isAwaited(context, delivery)) {
    return html`<p id="outcome" class="notice info" role="status" data-awaited>Waiting for the answer of your receiver. It appears here by itself. <a href="${here}">Look again</a></p>
`;
  }
  const last = delivery.attempts.at(-1);
  return (
    last !== undefined &&
    html`<p id="outcome" class="notice ${last.reason === null ? "good" : "bad"}" role="status">Your receiver: ${shownOutcome(last)} after ${shownCount(last.duration_ms)} ms.</p>
`
  );
}

/** Without a script, a page that waits for an answer loads itself again. */
export const reloads = (context: EntryContext, delivery: DeliveryShown): { head?: Html } =>
  isAwaited(context, delivery)
    ? { head: html`<noscript><meta http-equiv="refresh" content="2"></noscript>\n` }
    : {};
