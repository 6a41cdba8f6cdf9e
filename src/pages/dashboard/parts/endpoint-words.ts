import type { components } from "../../../generated/types.ts";
import type { EntryContext } from "../../../platform/context.ts";
import type { EndpointHealth } from "../../../webhooks/endpoints/endpoint-health.ts";
import { PAUSES_AT } from "../../../webhooks/endpoints/failure-streak.ts";
import { dashboardLink } from "../../frame/links.ts";
import { badge } from "../../kit/badge.ts";
import { type Html, html } from "../../kit/html.ts";
import type { Column } from "../../kit/table.ts";
import { shownTime } from "../../kit/time.ts";
import { breakableAddress } from "../../kit/words.ts";

type Endpoint = components["schemas"]["WebhookOut"];

/** The address of the page of an endpoint. */
export const endpointLink = (context: EntryContext, { id }: Pick<Endpoint, "id">): string =>
  dashboardLink(context, `/webhooks/${id}`);

/** A link to the page of an endpoint. */
export const linkedAddress = (context: EntryContext, endpoint: Endpoint): Html =>
  html`<a href="${endpointLink(context, endpoint)}" title="${withoutQuery(endpoint)}">${breakableAddress(shownAddress(endpoint))}</a>`;

const [MOST, START, END] = [48, 29, 18];

/** The address of an endpoint, shortened in the middle: host and end tell endpoints apart. */
export function shownAddress(endpoint: Endpoint): string {
  const address = withoutQuery(endpoint);
  return address.length <= MOST ? address : `${address.slice(0, START)}…${address.slice(-END)}`;
}

/** The query may hold a secret. */
function withoutQuery({ url }: Endpoint): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

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
  paused_by_operator: "by the operator of this service",
  plan_changed: "because the plan includes none of its event types",
};

/** The state of an endpoint, with the reason in words. */
export function shownState(endpoint: Endpoint, health: Health): Html {
  const { disabled_reason, failure_streak = 0 } = endpoint;
  switch (conditionOf(endpoint, health)) {
    case "paused":
      return html`${badge("bad", "paused")} ${PAUSED_WHY[disabled_reason ?? ""]}`;
    case "failing":
      return html`${badge("warn", "failing")} ${failure_streak > 0 ? `${failure_streak} failed in a row` : health?.retrying ? "an attempt failed" : "the last delivery failed"}`;
    case "unproven":
      return html`${badge("plain", "active")} nothing accepted yet`;
    case "healthy":
      return badge("good", "active");
  }
}

/** When the newest delivery arrived. */
export const lastDelivered = (health: EndpointHealth | undefined): Html | string =>
  health?.lastDeliveredAt ? shownTime(health.lastDeliveredAt) : "never";

/** The columns of a table of endpoints that say how they fared in the last seven days. */
export const healthColumns = (health: ReadonlyMap<number, EndpointHealth>): Column<Endpoint>[] => {
  const of = (name: "delivered" | "failed" | "waiting") => (endpoint: Endpoint) =>
    health.get(endpoint.id)?.[name] ?? 0;
  return [
    { head: "State", isStatus: true, cell: (endpoint) => shownState(endpoint, health.get(endpoint.id)) },
    { head: "Delivered", cell: of("delivered"), isNumber: true },
    { head: "Failed", cell: of("failed"), isNumber: true },
    { head: "Waiting", cell: of("waiting"), isNumber: true, meaning: "Queued or in flight" },
    { head: "Last delivered", cell: ({ id }) => lastDelivered(health.get(id)) },
  ];
};
