import type { components } from "../../../generated/types.ts";
import { PAUSES_AT } from "../../../webhooks/dispatch/lost-delivery.ts";
import type { EndpointHealth } from "../../../webhooks/endpoints/endpoint-health.ts";
import { badge } from "../../kit/badge.ts";
import { type Html, html } from "../../kit/html.ts";

type Endpoint = Pick<components["schemas"]["WebhookOut"], "active" | "disabled_reason" | "failure_streak">;
type Health = EndpointHealth | undefined;

/** Whether the receiver has accepted a delivery, and refused none since. */
export const acceptsNow = (health: Health): boolean =>
  health?.lastAcceptedAt != null &&
  (health.lastRefusedAt === null || health.lastAcceptedAt >= health.lastRefusedAt);

/** How an endpoint is. It is unproven until its receiver has accepted a delivery or a test. */
export function conditionOf(
  endpoint: Endpoint,
  health: Health,
): "paused" | "failing" | "unproven" | "healthy" {
  if (!endpoint.active) return "paused";
  if ((endpoint.failure_streak ?? 0) > 0 || (health?.retrying ?? 0) > 0) return "failing";
  if (acceptsNow(health)) return "healthy";
  return health?.lastRefusedAt ? "failing" : "unproven";
}

/** Whether nothing arrives at the endpoint: it is paused, or the newest deliveries failed after all retries. */
export const isDown = ({ active, failure_streak = 0 }: Endpoint): boolean => !active || failure_streak > 0;

const PAUSED_WHY: Record<string, string> = {
  paused_by_customer: "by you",
  too_many_failures: `after ${PAUSES_AT} failed deliveries in a row`,
  plan_changed: "because the plan includes none of its event types",
};

/** The state of an endpoint, with the reason in words. */
export function shownState(endpoint: Endpoint, health: Health): Html {
  const { disabled_reason, failure_streak = 0 } = endpoint;
  switch (conditionOf(endpoint, health)) {
    case "paused":
      return html`${badge("bad", "paused")} ${PAUSED_WHY[disabled_reason ?? ""]}`;
    case "failing":
      return html`${badge("warn", "failing")} ${failure_streak > 0 ? `${failure_streak} failed in a row` : health?.retrying ? "an attempt failed" : "refused the last delivery"}`;
    case "unproven":
      return html`${badge("plain", "active")} nothing accepted yet`;
    case "healthy":
      return badge("good", "active");
  }
}
