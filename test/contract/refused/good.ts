// Compiles: every live operation has its handler, and each answer is declared in the contract.
import { Readable } from "node:stream";
import type { Handler, Handlers } from "../../../src/generated/operations.ts";
import type { components } from "../../../src/generated/types.ts";
import { jsonText } from "../../../src/platform/json-text.ts";

const listFeeds: Handler<"listFeeds"> = async () => ({ status: 200, body: { data: [] } });
const readRecords: Handler<"readRecords"> = async ({ query, headers }) => {
  const headersOut = { ETag: '"1"' };
  if (headers.ifNoneMatch === '"1"') return { status: 304, headers: headersOut, body: null };
  const text = Buffer.from(JSON.stringify({ page: query.page, page_size: query.page_size.toFixed() }));
  return { status: 200, headers: headersOut, body: jsonText<components["schemas"]["RecordsOut"]>(text) };
};
const exportHeaders = {
  ETag: '"1"',
  "Accept-Ranges": "bytes",
  "Content-Disposition": "attachment",
  "X-Licence-Reference": "LIC-1",
  "X-Row-Count": "0",
  "X-Checkpoint-Version": "1",
  "X-Checkpoint-Removals": "0",
  "X-As-Of": "2026-11-20",
  "X-Verified-On-Motus": "2026-11-20",
  "X-Verified-On-Legacy": "2026-05-14",
};
const exportFeed: Handler<"exportFeed"> = async ({ filters }) => ({
  status: 200,
  headers: exportHeaders,
  body: Readable.from([...filters.keys()]),
});
const exportFeedAsNdjson: Handler<"exportFeedAsNdjson"> = async ({ headers }) => ({
  status: 206,
  headers: { ...exportHeaders, "Content-Range": `${headers.range}/1`, "Content-Length": "1" },
  body: Readable.from(["{"]),
});
const exportFeedAsParquet: Handler<"exportFeedAsParquet"> = async () => ({
  status: 304,
  headers: { ETag: '"1"' },
  body: null,
});
const lookUpCarrier: Handler<"lookUpCarrier"> = async ({ path }) => ({
  status: 200,
  body: { usdot: path.dot, company: "Acme", records: [], events: [] },
});
const readUsage: Handler<"readUsage"> = async ({ caller }) => ({
  status: 200,
  body: {
    month_start: "2026-11-01",
    usage: { api_requests: 0, api_rows: 0, export_rows: 0, quota_rows: 0 },
    limits: { api_rows_month: caller.rowsPerMonth, api_rpm: caller.requestsPerMinute, api_rows_left: 0 },
  },
});

const listSources: Handler<"listSources"> = async () => ({ status: 200, body: { data: [] } });
const checkpoint = { version: 1, rows: 0, digest: "0000000000000000", removals: 0 };
const verified_on = { motus: "2026-11-20", legacy: "2026-05-14" };

const listFeedVersions: Handler<"listFeedVersions"> = async ({ path }) => ({
  status: 200,
  body: {
    data: [],
    next_cursor: null,
    meta: { feed: path.code, current_version: 1, scope: { regions: null } },
  },
});

const readFeedChanges: Handler<"readFeedChanges"> = async ({ path }) => ({
  status: 200,
  body: {
    data: [],
    next_cursor: null,
    as_of: "2026-11-20",
    meta: { feed: path.code, since_version: 1, to_version: 1, checkpoint, verified_on },
  },
});

const countRecords: Handler<"countRecords"> = async ({ path }) => ({
  status: 200,
  body: {
    rows: 0,
    by: null,
    cost: { rows: 0, rows_left: 0, fits: true },
    as_of: "2026-11-20",
    meta: { feed: path.code, version: 1, scope: { regions: null }, checkpoint, verified_on },
  },
});

const listEvents: Handler<"listEvents"> = async ({ query }) => ({
  status: 200,
  body: {
    data: [],
    next_cursor: null,
    as_of: "2026-11-20T11:20:06Z",
    meta: { types: query.type ?? [], scope: { regions: null }, resume_cursor: query.limit.toFixed() },
  },
});

const readEvent: Handler<"readEvent"> = async ({ path: { event_id: id } }) => ({
  status: 200,
  body: { id, type: "reinstated", country: "US", usdot: "7", source_dataset: "authority_history" },
});
const listWebhooks: Handler<"listWebhooks"> = async () => ({
  status: 200,
  body: { data: [], available_event_types: [] },
});
const createWebhook: Handler<"createWebhook"> = async ({ body: { url, event_types } }) => ({
  status: 201,
  body: { id: 17, url, event_types, active: true, failure_streak: 0 },
});
const ENDPOINT = { url: "https://hooks.example.com", event_types: [], active: true, failure_streak: 0 };
const readWebhook: Handler<"readWebhook"> = async ({ path: { endpoint_id: id } }) => ({
  status: 200,
  body: { ...ENDPOINT, id },
});
const updateWebhook: Handler<"updateWebhook"> = async ({ path: { endpoint_id: id }, body }) => ({
  status: 200,
  body: { ...ENDPOINT, id, url: body.url ?? ENDPOINT.url, payload: body.payload ?? "full" },
});
const DELIVERY = {
  event_id: "evt_1",
  type: "reinstated" as const,
  is_test: false,
  status: "queued" as const,
  cancel_reason: null,
  created_at: "2026-11-20T16:00:00Z",
  next_attempt_at: null,
  finished_at: null,
  attempts: [],
};
const listWebhookDeliveries: Handler<"listWebhookDeliveries"> = async ({ path, query }) => ({
  status: 200,
  body: {
    data: [{ ...DELIVERY, delivery_id: query.limit, endpoint_id: path.endpoint_id }],
    next_cursor: null,
    meta: { endpoint_id: path.endpoint_id },
  },
});
const readWebhookDelivery: Handler<"readWebhookDelivery"> = async ({ path }) => ({
  status: 200,
  body: { ...DELIVERY, ...path, body: null },
});
const resendWebhookDelivery: Handler<"resendWebhookDelivery"> = async ({ path }) => ({
  status: 202,
  body: { ...path, status: "queued" },
});
const replayWebhook: Handler<"replayWebhook"> = async ({ path: { endpoint_id }, body }) => ({
  status: 200,
  body: { endpoint_id, dry_run: body.dry_run ?? true, deliveries: 0, next_cursor: null },
});
const pauseWebhook: Handler<"pauseWebhook"> = async () => ({ status: 204, body: null });
const testWebhook: Handler<"testWebhook"> = async ({ path: { endpoint_id } }) => ({
  status: 202,
  body: { delivery_id: 1, endpoint_id, status: "queued" },
});
const rotateWebhookSecret: Handler<"rotateWebhookSecret"> = async ({ path: { endpoint_id: id }, body }) => ({
  status: 200,
  body: {
    id,
    previous_secret_valid_until: body?.overlap_seconds ? "2026-11-20T16:00:00Z" : null,
    secret: "whsec_1",
    secret_prefix: "whsec_",
  },
});
const requestRemoval: Handler<"requestRemoval"> = async ({ clientAddress, body }) => ({
  status: 202,
  body: { request_id: clientAddress.length, status: body.usdot ?? "suppressed" },
});

export const handlers: Handlers = {
  listFeeds,
  readRecords,
  exportFeed,
  exportFeedAsNdjson,
  exportFeedAsParquet,
  listFeedVersions,
  readFeedChanges,
  countRecords,
  lookUpCarrier,
  readUsage,
  listEvents,
  readEvent,
  listSources,
  listWebhooks,
  createWebhook,
  readWebhook,
  updateWebhook,
  listWebhookDeliveries,
  readWebhookDelivery,
  resendWebhookDelivery,
  replayWebhook,
  pauseWebhook,
  testWebhook,
  rotateWebhookSecret,
  requestRemoval,
};
