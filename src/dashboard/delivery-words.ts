import type { DeliveryShown } from "../webhooks/delivery-history.ts";

const CANCEL_REASONS: Record<string, string> = {
  paused: "the endpoint was paused",
  plan_changed: "the plan no longer includes it",
  removed: "the business was removed on request",
};

const FAILURE_REASONS: Record<string, string> = {
  address_not_allowed: "the address is not public",
  connection_failed: "no connection",
  tls_failed: "the certificate or TLS failed",
  timed_out: "no whole answer within 15 s",
  answer_not_2xx: "the answer was no 2xx",
  answer_too_large: "the answer was too large",
};

export const shownStatus = ({ status, cancel_reason, attempts }: DeliveryShown): string => {
  if (status === "cancelled") return `cancelled: ${CANCEL_REASONS[cancel_reason ?? ""] ?? cancel_reason}`;
  return status === "queued" && attempts.length > 0 ? "waits for the next attempt" : status;
};

/** What became of an attempt, in people's words. */
export const shownOutcome = ({
  http_status,
  reason,
}: {
  http_status: number | null;
  reason: string | null;
}): string =>
  [http_status, reason && (FAILURE_REASONS[reason] ?? reason)].filter((word) => word !== null).join(", ");
