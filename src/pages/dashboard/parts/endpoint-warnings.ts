import { mayDo, type Role, whoMay } from "../../../accounts/people/roles.ts";
import { eventTypeLabel } from "../../../events/event-types.ts";
import type { components } from "../../../generated/types.ts";
import type { EntryContext } from "../../../platform/context.ts";
import { countOf } from "../../../platform/plural.ts";
import type { EndpointHealth } from "../../../webhooks/endpoints/endpoint-health.ts";
import { PAUSES_AT } from "../../../webhooks/endpoints/failure-streak.ts";
import { dashboardLink } from "../../frame/links.ts";
import { type Html, html } from "../../kit/html.ts";
import { howToGetMore, type PlanShown, whomToAsk } from "../plan-note.ts";
import { shownRetries } from "./delivery-words.ts";
import { acceptsNow, shownAddress } from "./endpoint-words.ts";
import type { Warning } from "./warnings.ts";

type Endpoint = components["schemas"]["WebhookOut"];

/** The warnings about an endpoint, the worst first. */
export function endpointWarnings(
  context: EntryContext,
  plan: PlanShown,
  endpoint: Endpoint,
  seen: {
    role: Role;
    health: EndpointHealth | undefined;
    availableTypes: readonly Endpoint["event_types"][number][];
    /** The endpoint's own page neither names it again nor links to itself. */
    isOwnPage?: boolean;
  },
): Warning[] {
  const address = dashboardLink(context, `/webhooks/${endpoint.id}`);
  const name = seen.isOwnPage
    ? "This endpoint"
    : html`Endpoint <a href="${address}">${endpoint.id}</a> (${shownAddress(endpoint)})`;
  const advise = (remedy: Html) => (mayDo(seen.role, "change endpoints") ? remedy : ASK_OTHERS);
  if (!endpoint.active)
    return [pausedWarning(context, plan, { endpoint, address, name, advise, isOwnPage: seen.isOwnPage })];
  const missing = endpoint.event_types.filter((type) => !seen.availableTypes.includes(type));
  const warnings = failureWarnings(context, endpoint, seen.health, { address, name, advise });
  if (missing.length > 0) {
    warnings.push({
      kind: "info",
      what: html`${name} asks for event types that your plan does not include: ${missing.map(eventTypeLabel).join(", ")}.`,
      remedy: html`Events of these types are not sent. ${advise(html`<a href="${address}/edit">Remove the types</a>, or change the plan.`)} ${howToGetMore(context, plan)}`,
    });
  }
  return warnings;
}

interface Named {
  address: string;
  name: Html | string;
  /** What the person can do about it, or else whom to ask. */
  advise: (remedy: Html) => Html;
}

const ASK_OTHERS = html`Only ${whoMay("change endpoints")} may change or test an endpoint, or replay its events: ask one of them.`;

function pausedWarning(
  context: EntryContext,
  plan: PlanShown,
  {
    endpoint,
    address,
    name,
    advise,
    isOwnPage = false,
  }: Named & { endpoint: Endpoint; isOwnPage?: boolean | undefined },
): Warning {
  const toPage = (words: string) => (isOwnPage ? words : html`<a href="${address}">${words}</a>`);
  switch (endpoint.disabled_reason) {
    case "too_many_failures":
      return {
        kind: "warn",
        what: html`${name} is paused: ${PAUSES_AT} deliveries in a row failed.`,
        remedy: html`No events are sent to it. ${advise(html`Look at <a href="${address}?status=failed">the failed deliveries</a>, repair the receiver and send a test delivery. Then ${toPage("enable it again and replay")} the missed events.`)}`,
      };
    case "plan_changed":
      return {
        kind: "warn",
        what: html`${name} is paused: your plan includes none of its event types.`,
        remedy: html`No events are sent to it. ${plan.hasApiAccess && advise(html`<a href="${address}/edit">Choose other event types</a> and enable it again, or change the plan.`)} ${howToGetMore(context, plan)}`,
      };
    case "paused_by_operator":
      return {
        kind: "warn",
        what: html`${name} is paused by the operator of this service.`,
        remedy: html`No events are sent to it, and only the operator can enable it. To find out why, ${whomToAsk(context, "Paused endpoint")}.`,
      };
    default:
      return {
        kind: "warn",
        what: html`${name} is paused by you.`,
        remedy: html`No events are sent to it. ${advise(html`${toPage("Enable it again")} and replay the missed events, or delete it.`)}`,
      };
  }
}

function failureWarnings(
  { config }: EntryContext,
  { failure_streak: streak = 0 }: Endpoint,
  health: EndpointHealth | undefined,
  { address, name, advise }: Named,
): Warning[] {
  const look = (status: string) =>
    html`Look at <a href="${address}?status=${status}">its attempts</a> and repair the receiver.`;
  if (streak > 0) {
    return [
      {
        kind: "warn",
        what: html`${name} is failing: ${countOf(streak, "delivery", "deliveries")} in a row failed after all retries.`,
        remedy: html`After ${PAUSES_AT} it is paused. ${look("failed")} ${advise(html`Then <a href="${address}/replay">replay</a> the missed events.`)}`,
      },
    ];
  }
  if (health !== undefined && health.retrying > 0) {
    return [
      {
        kind: "warn",
        what: html`${name} is failing: ${countOf(health.retrying, "delivery waits", "deliveries wait")} for another attempt.`,
        remedy: html`${shownRetries(config.webhookRetrySeconds)} ${look("queued")}`,
      },
    ];
  }
  if (health !== undefined && health.failed > 0) {
    const isUp = acceptsNow(health);
    return [
      {
        kind: "warn",
        what: html`${name} lost ${countOf(health.failed, "delivery", "deliveries")} in the last seven days that were not sent again.`,
        remedy: html`The receiver ${isUp ? "accepts deliveries again" : "has accepted nothing since"}. ${advise(html`${!isUp && "Send a test delivery. "}Look at <a href="${address}?status=failed">the failed deliveries</a> and <a href="${address}/replay">replay</a> them.`)}`,
      },
    ];
  }
  if (health?.lastRefusedAt && !acceptsNow(health)) {
    const what = html`${name} has accepted nothing since its last test delivery failed.`;
    return [{ kind: "warn", what, remedy: look("failed") }];
  }
  if (!acceptsNow(health)) {
    const remedy = advise(
      html`<a href="${address}">Send it a test delivery</a> to see that its receiver answers.`,
    );
    return [{ kind: "info", what: html`${name} has accepted nothing yet.`, remedy }];
  }
  return [];
}
