import type { EntryContext } from "../../../platform/context.ts";
import type { DeliveryShown } from "../../../webhooks/deliveries/delivery-history.ts";
import { type Html, html } from "../../kit/html.ts";
import { shownCount } from "../../kit/number.ts";
import { shownOutcome } from "./delivery-words.ts";

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
