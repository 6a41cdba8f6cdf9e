import { Command } from "commander";
import { OperatorError } from "../../platform/operator-error.ts";
import {
  type AttemptShown,
  DELIVERY_STATUSES,
  type DeliveryShown,
  type DeliveryStatus,
  listDeliveries,
} from "../../webhooks/deliveries/delivery-history.ts";
import { ACTIVE_ENDPOINTS_LIMIT } from "../../webhooks/endpoints/account-limits.ts";
import { enableEndpoint } from "../../webhooks/endpoints/enable.ts";
import { type EndpointListed, listEveryEndpoint } from "../../webhooks/endpoints/endpoints.ts";
import { pauseByOperator } from "../../webhooks/endpoints/pause-or-delete.ts";
import { accountIdFrom, endpointIdFrom, limitFrom, limitOption } from "../terminal/arguments.ts";
import { table } from "../terminal/print.ts";
import { changing, reporting } from "../terminal/reporting.ts";
import { noSuchEndpoint, webhookReplayCommand } from "./webhook-replay.ts";

export function webhookCommand(): Command {
  return new Command("webhook")
    .description("Webhook endpoints of all accounts, and their deliveries")
    .addCommand(listCommand())
    .addCommand(pauseCommand())
    .addCommand(enableCommand())
    .addCommand(deliveriesCommand())
    .addCommand(webhookReplayCommand());
}

const listCommand = () =>
  reporting(
    new Command("list")
      .description(
        "Show the endpoints, paused ones too; an address is shown without its query, which may hold a secret",
      )
      .option("--account <id>", "only the endpoints of this account"),
    async (context, { account }: { account?: string }) => {
      const accountId = account === undefined ? undefined : accountIdFrom(account);
      const endpoints = await listEveryEndpoint(context, accountId);
      return { value: endpoints, lines: table(ENDPOINT_HEADINGS, endpoints.map(endpointCells)) };
    },
  );

const ENDPOINT_HEADINGS = [
  "id",
  "account",
  "state",
  "streak",
  "queued",
  "url",
  "event types",
  "filters",
  "payload",
];

const endpointCells = (endpoint: EndpointListed) => [
  endpoint.id,
  endpoint.account_id,
  endpoint.active ? "active" : (endpoint.disabled_reason ?? "paused"),
  endpoint.failure_streak,
  endpoint.queued,
  endpoint.url,
  endpoint.event_types.join(", "),
  Object.keys(endpoint.filters ?? {}).join(", "),
  endpoint.payload,
];

const pauseCommand = () =>
  changing(
    new Command("pause")
      .argument("<id>")
      .description("Pause an endpoint for its account; only `webhook enable` ends it")
      .addHelpText(
        "after",
        "\nIts queued deliveries are cancelled. The customer sees disabled_reason paused_by_operator.",
      ),
    async (context, id: string) => {
      const endpointId = endpointIdFrom(id);
      if (!(await pauseByOperator(context, endpointId))) throw noSuchEndpoint(endpointId);
      return { value: { id: endpointId }, lines: [`The endpoint ${endpointId} is paused.`] };
    },
  );

const enableCommand = () =>
  changing(
    new Command("enable")
      .argument("<id>")
      .description("Make a paused endpoint active again and reset its count of failures")
      .addHelpText(
        "after",
        "\nThe endpoint gets new events from now on. `webhook replay` sends the ones it missed.",
      ),
    async (context, id: string) => {
      const endpointId = endpointIdFrom(id);
      const outcome = await enableEndpoint(context, { endpointId });
      if (outcome === "not_found") throw noSuchEndpoint(endpointId);
      if (outcome === "limit_reached") {
        throw new OperatorError(
          `The account of endpoint ${endpointId} already has ${ACTIVE_ENDPOINTS_LIMIT} active endpoints, which is the limit. Pause one of them first.`,
        );
      }
      if (outcome === "not_in_plan") {
        throw new OperatorError(
          `The plan of endpoint ${endpointId}'s account has no API access or none of its event types. Change the plan first ("account set-plan").`,
        );
      }
      const wasActive = outcome === "was_active";
      const sentence = `The endpoint ${endpointId} ${wasActive ? "was already active" : "is active again"}.`;
      return { value: { id: endpointId, was_active: wasActive }, lines: [sentence] };
    },
  );

const deliveriesCommand = () =>
  reporting(
    new Command("deliveries")
      .argument("<id>")
      .description("Show an endpoint's newest deliveries and their attempts")
      .option("--status <status>", `only deliveries with this status: ${DELIVERY_STATUSES.join(", ")}`)
      .addOption(limitOption()),
    async (context, id: string, { status, limit }: { status?: string; limit: string }) => {
      const endpointId = endpointIdFrom(id);
      const deliveries = await listDeliveries(context, {
        endpointId,
        limit: limitFrom(limit),
        ...(status === undefined ? {} : { status: statusFrom(status) }),
      });
      if (deliveries === null) throw noSuchEndpoint(endpointId);
      return { value: deliveries, lines: table(DELIVERY_HEADINGS, deliveries.flatMap(deliveryLines)) };
    },
  );

const DELIVERY_HEADINGS = ["delivery", "event", "type", "status", "attempt", "started", "took", "answer"];

/** One line for each attempt; only the first line names the delivery. */
function deliveryLines(delivery: DeliveryShown): (string | number)[][] {
  const { id, event_id, correction_id, change_id, event_type, is_test, attempts } = delivery;
  const named = [
    id,
    change_id ?? correction_id ?? event_id ?? "",
    is_test ? `${event_type} (test)` : event_type,
    statusOf(delivery),
  ];
  if (attempts.length === 0) return [named];
  return attempts.map((attempt, index) => [
    ...(index === 0 ? named : ["", "", "", ""]),
    attempt.attempt,
    attempt.started_at,
    `${attempt.duration_ms} ms`,
    answerOf(attempt),
  ]);
}

function statusOf({ status, cancel_reason, due_at }: DeliveryShown): string {
  if (status === "cancelled") return `cancelled (${cancel_reason})`;
  return due_at === null ? status : `${status}, due ${due_at}`;
}

const answerOf = ({ http_status, reason }: AttemptShown): string =>
  [http_status, reason].filter((part) => part !== null).join(" ");

function statusFrom(text: string): DeliveryStatus {
  const status = DELIVERY_STATUSES.find((known) => known === text);
  if (status) return status;
  throw new OperatorError(`--status is "${text}": give one of ${DELIVERY_STATUSES.join(", ")}.`);
}
