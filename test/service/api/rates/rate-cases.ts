// Every answer that each operation can give once the key is known, and how to cause it: for rate-headers.test.ts.
import { ALL_SCOPES } from "../../../../src/accounts/keys/grant.ts";
import { type Handlers, operationTable } from "../../../../src/generated/operations.ts";
import type { Scope } from "../../../../src/generated/scopes.ts";
import type { TestService } from "../../../support/service.ts";
import { ASKED_ENDPOINT as ASKED } from "../../../support/webhooks/endpoints.ts";

export const [FRESH, STALE, NOT_LIVE, NOT_IN_PLAN] = [
  "us_new_authority_weekly",
  "us_insurance_lapse_alerts",
  "us_revocation_pending",
  "us_brokers",
] as const;
export const FRESH_DOT = "4312907";
export const STALE_DOT = "4312908";
/** Docket numbers of these two. */
export const [FRESH_DOCKET, STALE_DOCKET] = ["MC1000001", "MC1000002"] as const;

export type OperationId = keyof Handlers;
type Plan = Parameters<TestService["createAccount"]>[0];

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface RateCase {
  operation: OperationId;
  /** A problem's code, or the status of an answer that has none. */
  answer: string;
  /**
   * `{endpoint}` is replaced by a webhook endpoint of the account, `{own_key}` by another key of it, `{ended_key}` by a revoked one, `{watchlist}` by its watchlist, `{version}` by the version of the fresh feed, and
   * `{previous}` by the one before it. `{cursor}` leads to a version that does not exist.
   */
  path: string;
  /** GET unless given. */
  method?: Method;
  body?: unknown;
  plan?: Plan;
  headers?: Record<string, string>;
  /** Sent after another request of the same minute. */
  isSecond?: true;
  /** The value of Retry-After; absent if there must be none. */
  waitSeconds?: number;
  /** The handler throws an error that is not in the contract. */
  hasFault?: true;
  /** The as-of day of the newest detection, if it is not fresh. */
  detectedOf?: string;
  /** A table that cannot be read while the request is answered, after it was counted. */
  lostTable?: string;
  /** Sent while an export of the key is running. */
  isBesideExport?: true;
  /** The event type of the delivery, if the endpoint does not have it. */
  eventType?: string;
  /** What became of another request with its idempotency key. */
  otherRequest?: "answered" | "in progress";
  /** How many watchlists the account has; one if the path names one. */
  watchlists?: number;
  /** The account watches a carrier that is not paid for this month. */
  isUnpaid?: true;
  /** An operation of test mode is called with a live key. */
  hasLiveKey?: true;
  /** Who paused the endpoint, if it was not its customer. */
  isPausedByOperator?: true;
  /** How many keys in use the account has; one unless given. */
  keys?: number;
  /** What the key may do; everything unless given. */
  grant?: { scopes?: readonly Scope[]; networks?: readonly string[] };
  /** How many active webhook endpoints the account has; one unless given. Of 21 and 0, the used one is paused. */
  activeEndpoints?: number;
}

export const casesOf = (
  operation: OperationId,
  path: string,
  misfit: string,
  /** Null: it reads no table that its admission does not read. */
  lostTable: string | null,
  pathToLost = path,
): RateCase[] => [
  { operation, path, answer: "200" },
  { operation, path: `${path}${path.includes("?") ? "&" : "?"}${misfit}`, answer: "422" },
  { operation, path, answer: "plan_has_no_api_access", plan: { apiAccess: false } },
  { operation, path, answer: "account_suspended" },
  {
    operation,
    path,
    answer: "insufficient_scope",
    grant: { scopes: ALL_SCOPES.filter((scope) => scope !== operationTable[operation].scope) },
  },
  { operation, path, answer: "network_not_allowed", grant: { networks: ["192.0.2.0/24"] } },
  {
    operation,
    path,
    answer: "rate_limited",
    plan: { requestsPerMinute: 1 },
    isSecond: true,
    waitSeconds: 45,
  },
  { operation, path, answer: "internal_error", hasFault: true },
  ...(lostTable === null
    ? []
    : [{ operation, path: pathToLost, answer: "unavailable", lostTable, waitSeconds: 5 } as const]),
];

const quotaExceeded = (operation: OperationId, path: string): RateCase => ({
  operation,
  path,
  answer: "quota_exceeded",
  plan: { rowsPerMonth: 0 },
  waitSeconds: 820_785,
});

const refusedFeeds = (operation: OperationId, end: string): RateCase[] => [
  { operation, path: `/v1/feeds/${NOT_IN_PLAN}/${end}`, answer: "not_entitled" },
  { operation, path: `/v1/feeds/${NOT_LIVE}/${end}`, answer: "feed_not_live" },
];

const feedCasesOf = (
  operation: OperationId,
  misfit: string,
  end: string,
  { lostTable, lostQuery = "" }: { lostTable: string; lostQuery?: string },
): RateCase[] => {
  const of = (feed: string) => `/v1/feeds/${feed}/${end}`;
  return [
    ...casesOf(operation, of(FRESH), misfit, lostTable, of(FRESH) + lostQuery),
    { operation, path: of(FRESH), answer: "304", headers: { "If-None-Match": "*" } },
    { operation, path: `${of(FRESH)}?state=ZZ`, answer: "invalid_filter" },
    ...refusedFeeds(operation, end),
    { operation, path: of(STALE), answer: "stale_source", waitSeconds: 600 },
    quotaExceeded(operation, of(FRESH)),
  ];
};

const exportCasesOf = (operation: OperationId, end: string): RateCase[] => {
  const path = `/v1/feeds/${FRESH}/${end}`;
  return [
    ...feedCasesOf(operation, "since=soon", end, { lostTable: "export_slot" }),
    { operation, path, answer: "206", headers: { Range: "bytes=0-" } },
    { operation, path, answer: "export_changed", headers: { "If-Match": '"0"' } },
    { operation, path, answer: "range_not_satisfiable", headers: { Range: "bytes=99999999-" } },
    {
      operation,
      path,
      answer: "too_many_exports",
      plan: { concurrentExports: 1 },
      isBesideExport: true,
      waitSeconds: 10,
    },
  ];
};

/** The cases of an operation with a method of its own, by its successful answer and the table that it reads. */
export const postedCasesOf = (
  operation: OperationId,
  success: string,
  request: Pick<RateCase, "path" | "method" | "body">,
  lostTable: string,
): RateCase[] =>
  casesOf(operation, request.path, "x=1", lostTable).map((one) => ({
    ...({ ...one, method: request.method, body: request.body } as RateCase),
    answer: one.answer === "200" ? success : one.answer,
  }));

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

/** The cases of a body that an operation takes. */
export const bodyCasesOf = (
  operation: OperationId,
  request: { path: string; method: Method },
  bytes = 33_000,
): RateCase[] => [
  { operation, ...request, answer: "payload_too_large", body: { url: "x".repeat(bytes) } },
  {
    operation,
    ...request,
    answer: "unsupported_media_type",
    body: {},
    headers: { "Content-Type": "text/plain" },
  },
];

/** The cases of an operation that takes an idempotency key. */
export const keyedCasesOf = (
  operation: OperationId,
  request: Pick<RateCase, "path" | "body"> & { method?: Method },
): RateCase[] => {
  const keyed = { operation, method: "POST", ...request, headers: { "Idempotency-Key": RATE_KEY } } as const;
  return [
    { ...keyed, answer: "idempotency_conflict", otherRequest: "answered" },
    { ...keyed, answer: "request_in_progress", otherRequest: "in progress", waitSeconds: 1 },
  ];
};
/** The idempotency key of such a request. */
export const RATE_KEY = "one";

const REPLAY = { from: "2026-11-19T00:00:00Z", to: "2026-11-20T00:00:00Z" };
const LOOKUPS = { method: "POST", path: "/v1/carriers/lookup", body: { usdots: [FRESH_DOT] } } as const;
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

/** The waits are those at 2026-11-21T12:00:15Z: 45 s before the minute ends, and 820,785 s before the month does. */
export const RATE_CASES: readonly RateCase[] = [
  ...casesOf("listFeeds", "/v1/feeds", "x=1", null),
  // The table of the second version, which is FRESH's newest one. The page is not cached.
  ...feedCasesOf("readRecords", "page=0", "records", {
    lostTable: "published.feed_2",
    lostQuery: "?page_size=7",
  }),
  ...exportCasesOf("exportFeed", "export.csv"),
  ...exportCasesOf("exportFeedAsNdjson", "export.ndjson"),
  ...exportCasesOf("exportFeedAsParquet", "export.parquet"),
  ...casesOf("listFeedVersions", `/v1/feeds/${FRESH}/versions`, "limit=0", "feed_step"),
  ...refusedFeeds("listFeedVersions", "versions"),
  ...casesOf("readFeedChanges", `/v1/feeds/${FRESH}/changes?since_version={version}`, "limit=0", "feed_step"),
  ...refusedFeeds("readFeedChanges", "changes?since_version=1"),
  {
    operation: "readFeedChanges",
    path: `/v1/feeds/${FRESH}/changes?since_version={version}&state=ZZ`,
    answer: "invalid_filter",
  },
  {
    operation: "readFeedChanges",
    path: `/v1/feeds/${FRESH}/changes?since_version=2147483647`,
    answer: "version_expired",
  },
  {
    operation: "readFeedChanges",
    path: `/v1/feeds/${FRESH}/changes?cursor={cursor}`,
    answer: "cursor_expired",
  },
  {
    operation: "readFeedChanges",
    path: `/v1/feeds/${STALE}/changes?since_version=1`,
    answer: "stale_source",
    waitSeconds: 600,
  },
  quotaExceeded("readFeedChanges", `/v1/feeds/${FRESH}/changes?since_version={previous}`),
  ...casesOf("countRecords", `/v1/feeds/${FRESH}/count`, "since=soon", null),
  ...refusedFeeds("countRecords", "count"),
  { operation: "countRecords", path: `/v1/feeds/${FRESH}/count?state=ZZ`, answer: "invalid_filter" },
  {
    operation: "countRecords",
    path: `/v1/feeds/${STALE}/count`,
    answer: "stale_source",
    waitSeconds: 600,
  },
  ...casesOf("searchCarriers", `/v1/carriers?docket=${FRESH_DOCKET}`, "x=1", "published.feed_2"),
  {
    operation: "searchCarriers",
    path: `/v1/carriers?docket=${STALE_DOCKET}`,
    answer: "stale_source",
    waitSeconds: 600,
  },
  quotaExceeded("searchCarriers", `/v1/carriers?docket=${FRESH_DOCKET}`),
  ...casesOf("lookUpCarrier", `/v1/carriers/${FRESH_DOT}`, "x=1", "published.feed_2"),
  { operation: "lookUpCarrier", path: "/v1/carriers/1", answer: "not_found" },
  {
    operation: "lookUpCarrier",
    path: `/v1/carriers/${STALE_DOT}`,
    answer: "stale_source",
    waitSeconds: 600,
  },
  quotaExceeded("lookUpCarrier", `/v1/carriers/${FRESH_DOT}`),
  ...casesOf("readTimeline", `/v1/carriers/${FRESH_DOT}/timeline`, "limit=0", "published.feed_2"),
  { operation: "readTimeline", path: "/v1/carriers/1/timeline", answer: "not_found" },
  {
    operation: "readTimeline",
    path: `/v1/carriers/${STALE_DOT}/timeline`,
    answer: "stale_source",
    waitSeconds: 600,
  },
  quotaExceeded("readTimeline", `/v1/carriers/${FRESH_DOT}/timeline`),
  ...casesOf("readConnections", `/v1/carriers/${FRESH_DOT}/connections`, "limit=51", "published.feed_2"),
  { operation: "readConnections", path: "/v1/carriers/1/connections", answer: "not_found" },
  {
    operation: "readConnections",
    path: `/v1/carriers/${STALE_DOT}/connections`,
    answer: "stale_source",
    waitSeconds: 600,
  },
  quotaExceeded("readConnections", `/v1/carriers/${FRESH_DOT}/connections`),
  ...postedCasesOf("lookUpCarriers", "200", LOOKUPS, "published.feed_2"),
  {
    operation: "lookUpCarriers",
    ...LOOKUPS,
    answer: "quota_exceeded",
    plan: { rowsPerMonth: 0 },
    waitSeconds: 820_785,
  },
  {
    operation: "lookUpCarriers",
    ...LOOKUPS,
    body: { usdots: [STALE_DOT] },
    answer: "stale_source",
    waitSeconds: 600,
  },
  ...bodyCasesOf("lookUpCarriers", LOOKUPS),
  ...casesOf("listEvents", "/v1/events", "limit=0", "detection"),
  {
    operation: "listEvents",
    path: "/v1/events?type=authority_inactive",
    answer: "not_entitled",
    plan: { feeds: { [FRESH]: null } },
  },
  {
    operation: "listEvents",
    path: "/v1/events",
    answer: "stale_source",
    detectedOf: "2026-11-10",
    waitSeconds: 600,
  },
  quotaExceeded("listEvents", "/v1/events"),
  { operation: "listEvents", path: "/v1/events?watchlist=1000000", answer: "not_found" },
  ...casesOf("readUsage", "/v1/usage", "x=1", "usage_day"),
  ...casesOf("listEventCorrections", "/v1/events/corrections", "limit=0", "event_correction"),
  {
    operation: "listEventCorrections",
    path: "/v1/events/corrections?type=authority_inactive",
    answer: "not_entitled",
    plan: { feeds: { [FRESH]: null } },
  },
  ...casesOf("readEvent", "/v1/events/{event}", "x=1", "event"),
  { operation: "readEvent", path: "/v1/events/9007199254740991", answer: "not_found" },
  quotaExceeded("readEvent", "/v1/events/{event}"),
  ...casesOf("listSources", "/v1/sources", "x=1", "source"),
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
