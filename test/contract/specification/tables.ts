// openapi.yaml against the API specification, row by row. The tables below are written by hand from the specification's
// own tables; nothing in them is derived from openapi.yaml. Operations that the specification lacks have no row here:
// the rules at the end of each part hold for them too, and handlers.test.ts has what they answer.
import { specificationTable } from "../../support/specification.ts";
import type { Json } from "./document.ts";

// Since 1.1 an export has parts.
const PARTS = [206, 412, 416];

// operationId, method, path, statuses in the specification, statuses that the service adds.
// 304 is the answer to If-None-Match; 422 answers unknown query parameters; 413 and 415 bodies.
export const OPERATIONS: [string, string, string, number[], number[]][] = [
  ["listFeeds", "GET", "/v1/feeds", [200, 401, 403, 429], [422, 500, 503]],
  ["readRecords", "GET", "/v1/feeds/{code}/records", [200, 400, 401, 403, 422, 429, 503], [304, 500]],
  [
    "exportFeed",
    "GET",
    "/v1/feeds/{code}/export.csv",
    [200, 401, 403, 422, 429],
    [304, ...PARTS, 400, 500, 503],
  ],
  ["lookUpCarrier", "GET", "/v1/carriers/{dot}", [200, 401, 403, 404, 422, 429], [500, 503]],
  ["readUsage", "GET", "/v1/usage", [200, 401, 403, 429], [422, 500, 503]],
  ["listEvents", "GET", "/v1/events", [200, 401, 403, 422, 429], [404, 500, 503]],
  ["listWebhooks", "GET", "/v1/webhooks", [200, 401, 403, 429], [422, 500, 503]],
  ["createWebhook", "POST", "/v1/webhooks", [201, 400, 401, 403, 422, 429], [409, 413, 415, 500, 503]],
  ["pauseWebhook", "DELETE", "/v1/webhooks/{endpoint_id}", [204, 401, 403, 404, 422, 429], [500, 503]],
  ["testWebhook", "POST", "/v1/webhooks/{endpoint_id}/test", [202, 401, 403, 404, 422, 429], [409, 500, 503]],
  [
    "rotateWebhookSecret",
    "POST",
    "/v1/webhooks/{endpoint_id}/rotate",
    [200, 401, 403, 404, 422, 429],
    [409, 413, 415, 500, 503],
  ],
  ["requestRemoval", "POST", "/v1/opt-out", [202, 400, 422, 429], [413, 415, 500, 503]],
];

const int32 = { type: "integer", format: "int32", maximum: 2147483647 };
const count = { ...int32, minimum: 0 };
const date = { type: "string", format: "date" };
const words = (...values: string[]) => ({ type: "string", enum: values });
const states = {
  type: "array",
  minItems: 1,
  maxItems: 100,
  items: { type: "string", pattern: "^ *[A-Za-z]{2} *$", maxLength: 8 },
};

const page = { ...int32, minimum: 1, default: 1 };
const pageSize = { type: "integer", format: "int32", minimum: 1, maximum: 1000, default: 100 };
const filters: [string, Json][] = [
  ["state", states],
  ["trucks_min", count],
  ["trucks_max", count],
  ["granted_since", date],
  ["min_days_in_business", count],
  ["max_days_in_business", count],
  ["general_freight", { type: "boolean" }],
  ["has_cell", { type: "boolean" }],
  ["time_zone", { type: "string", minLength: 1, maxLength: 64 }],
  ["phone_type", words("mobile", "landline", "either")],
  ["entity_type", words("broker", "freight_forwarder")],
];
const code = { type: "string", minLength: 1, maxLength: 64 };
const endpointId = { type: "integer", format: "int64", minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
// Added to the specification: the feed version to read, so that pages are of one version.
const version = { ...int32, minimum: 1 };

export const QUERY: Record<string, [string, Json][]> = {
  readRecords: [["since", date], ["page", page], ["page_size", pageSize], ...filters, ["version", version]],
  exportFeed: [["since", date], ...filters, ["version", version]],
  listEvents: [
    ["type", { type: "array", minItems: 1, maxItems: 50, items: { $ref: "#/components/schemas/EventType" } }],
    ["since", { type: "string", format: "date-time", maxLength: 40 }],
    ["state", states],
    ["limit", pageSize],
    ["cursor", { type: "string", minLength: 1, maxLength: 200 }],
  ],
};
export const PATH: Record<string, [string, Json][]> = {
  readRecords: [["code", code]],
  exportFeed: [["code", code]],
  lookUpCarrier: [["dot", { type: "string", pattern: "^[0-9]{1,8}$", maxLength: 8 }]],
  pauseWebhook: [["endpoint_id", endpointId]],
  testWebhook: [["endpoint_id", endpointId]],
  rotateWebhookSecret: [["endpoint_id", endpointId]],
};

export const ANSWERS: Record<string, [number, string]> = {
  listFeeds: [200, "FeedsOut"],
  readRecords: [200, "RecordsOut"],
  lookUpCarrier: [200, "CarrierOut"],
  readUsage: [200, "UsageOut"],
  listEvents: [200, "EventsOut"],
  listWebhooks: [200, "WebhooksOut"],
  createWebhook: [201, "WebhookOut"],
  testWebhook: [202, "TestDeliveryOut"],
  rotateWebhookSecret: [200, "SecretOut"],
  requestRemoval: [202, "OptOutOut"],
};

// The specification's error table, and after it the codes that it leaves open.
export const PROBLEMS: [number, string][] = [
  ...specificationTable("Errors", "code").map(({ HTTP, code = "" }): [number, string] => [
    Number(HTTP),
    code,
  ]),
  // Since 1.1, instead of rate_limited.
  [429, "too_many_exports"],
  [409, "endpoint_paused"],
  [409, "not_subscribed"],
  [409, "idempotency_conflict"],
  [409, "request_in_progress"],
  [400, "invalid_url"],
  [400, "event_type_not_in_plan"],
  [400, "endpoint_limit_reached"],
  [400, "missing_identifier"],
  [400, "invalid_identifier"],
  // Since 1.1.
  [403, "account_suspended"],
  [401, "expired_api_key"],
  [403, "insufficient_scope"],
  [403, "network_not_allowed"],
  [403, "exceeds_own_key"],
  [400, "key_limit_reached"],
  [409, "key_ended"],
  [403, "paused_by_operator"],
  [403, "test_key_required"],
  [400, "watchlist_limit_reached"],
  [400, "watch_limit_reached"],
  [410, "version_expired"],
  [410, "cursor_expired"],
  [412, "export_changed"],
  [416, "range_not_satisfiable"],
  [413, "payload_too_large"],
  [415, "unsupported_media_type"],
  [500, "internal_error"],
  [503, "unavailable"],
];
// Answered before an operation is found or beside operations, so no operation declares them.
export const PROBLEMS_OUTSIDE: [number, string][] = [
  [400, "bad_request"],
  [403, "foreign_origin"],
  [405, "method_not_allowed"],
  [408, "request_timeout"],
];
/** Codes of operations that take an Idempotency-Key. */
const KEYED = ["idempotency_conflict", "request_in_progress"];
/** What a key of any operation may lack. */
const OF_A_KEY = ["insufficient_scope", "network_not_allowed"];
const EXPORT_CODES = {
  400: ["invalid_filter"],
  403: ["account_suspended", "feed_not_live", ...OF_A_KEY, "not_entitled", "plan_has_no_api_access"],
  412: ["export_changed"],
  416: ["range_not_satisfiable"],
  429: ["quota_exceeded", "rate_limited", "too_many_exports"],
  503: ["stale_source", "unavailable"],
};
// The codes of each operation, by status, if they differ between operations.
export const CODES: Record<string, Record<number, string[]>> = {
  listFeeds: {
    403: ["account_suspended", ...OF_A_KEY, "plan_has_no_api_access"],
    429: ["rate_limited"],
    503: ["unavailable"],
  },
  readRecords: {
    400: ["invalid_filter"],
    403: ["account_suspended", "feed_not_live", ...OF_A_KEY, "not_entitled", "plan_has_no_api_access"],
    429: ["quota_exceeded", "rate_limited"],
    503: ["stale_source", "unavailable"],
  },
  exportFeed: EXPORT_CODES,
  lookUpCarrier: {
    403: ["account_suspended", ...OF_A_KEY, "plan_has_no_api_access"],
    404: ["not_found"],
    429: ["quota_exceeded", "rate_limited"],
    503: ["stale_source", "unavailable"],
  },
  readUsage: {
    403: ["account_suspended", ...OF_A_KEY, "plan_has_no_api_access"],
    429: ["rate_limited"],
    503: ["unavailable"],
  },
  listEvents: {
    403: ["account_suspended", ...OF_A_KEY, "not_entitled", "plan_has_no_api_access"],
    429: ["quota_exceeded", "rate_limited"],
    503: ["stale_source", "unavailable"],
  },
  listWebhooks: {
    403: ["account_suspended", ...OF_A_KEY, "plan_has_no_api_access"],
    429: ["rate_limited"],
    503: ["unavailable"],
  },
  createWebhook: {
    400: ["endpoint_limit_reached", "event_type_not_in_plan", "invalid_url"],
    403: ["account_suspended", ...OF_A_KEY, "plan_has_no_api_access"],
    409: KEYED,
    429: ["rate_limited"],
    503: ["unavailable"],
  },
  pauseWebhook: { 404: ["not_found"], 429: ["rate_limited"], 503: ["unavailable"] },
  testWebhook: { 404: ["not_found"], 409: KEYED, 429: ["rate_limited"], 503: ["unavailable"] },
  rotateWebhookSecret: { 404: ["not_found"], 409: KEYED, 429: ["rate_limited"], 503: ["unavailable"] },
  requestRemoval: {
    400: ["invalid_identifier", "missing_identifier"],
    429: ["rate_limited"],
    503: ["unavailable"],
  },
};
