import type { CancelReason } from "../../../webhooks/deliveries/cancel-queued.ts";
import type { DeliveryShown } from "../../../webhooks/deliveries/delivery-history.ts";
import type { FailureReason } from "../../../webhooks/egress/reasons.ts";
import { shownCount } from "../../kit/number.ts";

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
  timed_out: "no complete answer within 15 s",
  answer_not_2xx: "the answer was not 2xx",
  answer_too_large: "the answer was too large",
};

export const shownStatus = ({ status, cancel_reason, attempts }: DeliveryShown): string => {
  if (cancel_reason !== null) return `cancelled: ${CANCEL_REASON_TEXTS[cancel_reason]}`;
  return status === "queued" && attempts.length > 0 ? "waits for the next attempt" : status;
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
  return `${shownCount(amount)} ${unit}${amount === 1 ? "" : "s"}`;
}

/** The outcome of an attempt, in words. */
export const shownOutcome = ({
  http_status,
  reason,
}: {
  http_status: number | null;
  reason: FailureReason | null;
}): string =>
  [http_status, reason && FAILURE_REASON_TEXTS[reason]].filter((word) => word !== null).join(", ");
