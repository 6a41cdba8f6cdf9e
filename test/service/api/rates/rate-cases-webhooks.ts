// The answers of the operations on webhooks, for rate-cases.ts.
import { ASKED_ENDPOINT as ASKED } from "../../../support/webhooks/endpoints.ts";
import {
  bodyCasesOf,
  casesOf,
  FRESH,
  keyedCasesOf,
  type OperationId,
  postedCasesOf,
  type RateCase,
} from "./rate-cases.ts";

const webhookCasesOf = (
  operation: OperationId,
  success: string,
  request: Pick<RateCase, "path" | "method" | "body">,
): RateCase[] => postedCasesOf(operation, success, request, "webhook_endpoint");

const endpointCasesOf = (
  operation: OperationId,
  success: string,
  request: { end: string; method: "GET" | "POST" | "PATCH" | "DELETE"; body?: unknown },
): RateCase[] => {
  const { end, method, body } = request;
  return [
    ...webhookCasesOf(operation, success, { method, body, path: `/v1/webhooks/{endpoint}${end}` }),
    { operation, method, body, path: `/v1/webhooks/1000000${end}`, answer: "not_found" },
  ];
};

const REPLAY = { from: "2026-11-19T00:00:00Z", to: "2026-11-20T00:00:00Z" };

const changed = (answer: string, body: unknown, how: Partial<RateCase> = {}): RateCase => ({
  operation: "updateWebhook",
  method: "PATCH",
  path: "/v1/webhooks/{endpoint}",
  answer,
  body,
  ...how,
});

const refusedEndpoint = (answer: string, body: unknown, how: Partial<RateCase> = {}): RateCase => ({
  operation: "createWebhook",
  method: "POST",
  path: "/v1/webhooks",
  answer,
  body,
  ...how,
});

export const WEBHOOK_CASES: readonly RateCase[] = [
  ...casesOf("listWebhooks", "/v1/webhooks", "x=1", "webhook_endpoint"),
  ...webhookCasesOf("createWebhook", "201", { method: "POST", path: "/v1/webhooks", body: ASKED }),
  refusedEndpoint("invalid_url", { ...ASKED, url: "http://hooks.example.com/in" }),
  refusedEndpoint(
    "event_type_not_in_plan",
    { ...ASKED, event_types: ["authority_inactive"] },
    {
      plan: { feeds: { [FRESH]: null } },
    },
  ),
  refusedEndpoint("endpoint_limit_reached", ASKED, { activeEndpoints: 20 }),
  refusedEndpoint("payload_too_large", { ...ASKED, url: "x".repeat(33_000) }),
  refusedEndpoint("unsupported_media_type", ASKED, { headers: { "Content-Type": "text/plain" } }),
  ...keyedCasesOf("createWebhook", { path: "/v1/webhooks", body: ASKED }),
  ...endpointCasesOf("readWebhook", "200", { method: "GET", end: "" }),
  ...endpointCasesOf("updateWebhook", "200", { method: "PATCH", end: "", body: { description: "A" } }),
  ...bodyCasesOf("updateWebhook", { method: "PATCH", path: "/v1/webhooks/{endpoint}" }),
  changed("paused_by_operator", { active: true }, { isPausedByOperator: true }),
  changed("invalid_url", { url: "http://hooks.example.com/in" }),
  changed(
    "event_type_not_in_plan",
    { event_types: ["authority_inactive"] },
    { plan: { feeds: { [FRESH]: null } } },
  ),
  changed("endpoint_limit_reached", { active: true }, { activeEndpoints: 21 }),
  ...endpointCasesOf("listWebhookDeliveries", "200", { method: "GET", end: "/deliveries" }),
  ...endpointCasesOf("readWebhookDelivery", "200", { method: "GET", end: "/deliveries/{delivery}" }),
  ...endpointCasesOf("resendWebhookDelivery", "202", {
    method: "POST",
    end: "/deliveries/{delivery}/resend",
  }),
  {
    operation: "resendWebhookDelivery",
    method: "POST",
    path: "/v1/webhooks/{endpoint}/deliveries/{delivery}/resend",
    answer: "endpoint_paused",
    activeEndpoints: 0,
  },
  {
    operation: "resendWebhookDelivery",
    method: "POST",
    path: "/v1/webhooks/{endpoint}/deliveries/{delivery}/resend",
    answer: "not_subscribed",
    eventType: "reinstated",
  },
  ...keyedCasesOf("resendWebhookDelivery", { path: "/v1/webhooks/{endpoint}/deliveries/{delivery}/resend" }),
  ...endpointCasesOf("replayWebhook", "200", { method: "POST", end: "/replay", body: REPLAY }),
  ...keyedCasesOf("replayWebhook", {
    path: "/v1/webhooks/{endpoint}/replay",
    body: { ...REPLAY, dry_run: false },
  }),
  ...bodyCasesOf("replayWebhook", { method: "POST", path: "/v1/webhooks/{endpoint}/replay" }),
  {
    operation: "replayWebhook",
    method: "POST",
    path: "/v1/webhooks/{endpoint}/replay",
    body: REPLAY,
    answer: "endpoint_paused",
    activeEndpoints: 0,
  },
  ...endpointCasesOf("pauseWebhook", "204", { method: "DELETE", end: "" }),
  ...endpointCasesOf("testWebhook", "202", { method: "POST", end: "/test" }),
  ...keyedCasesOf("testWebhook", { path: "/v1/webhooks/{endpoint}/test" }),
  ...endpointCasesOf("rotateWebhookSecret", "200", { method: "POST", end: "/rotate", body: {} }),
  ...keyedCasesOf("rotateWebhookSecret", { path: "/v1/webhooks/{endpoint}/rotate", body: {} }),
  ...bodyCasesOf("rotateWebhookSecret", { method: "POST", path: "/v1/webhooks/{endpoint}/rotate" }),
];
