// openapi.yaml against the API specification, row by row. The tables below are written by hand from the specification's
// own tables; nothing in them is derived from openapi.yaml. Operations that the specification lacks have no row here:
// the rules at the end of each part hold for them too, and handlers.test.ts has what they answer.
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import {
  SPECIFIED_EVENT_TYPES,
  SPECIFIED_FILTER_ROWS,
  SPECIFIED_FILTERS,
  specificationTable,
} from "../support/specification.ts";

// biome-ignore lint/suspicious/noExplicitAny: the document is read as data; its shape is what is tested
type Json = any;
const document: Json = parse(readFileSync(new URL("../../openapi.yaml", import.meta.url), "utf8"));

/** Follows a $ref of the document; returns anything else unchanged. */
const resolve = (node: Json): Json =>
  typeof node?.$ref === "string"
    ? resolve(
        node.$ref
          .slice(2)
          .split("/")
          .reduce((at: Json, key: string) => at[key], document),
      )
    : node;

interface Operation {
  id: string;
  method: string;
  path: string;
  parameters: Json[];
  responses: Record<string, Json>;
  source: Json;
}

const operations: Operation[] = Object.entries<Json>(document.paths).flatMap(
  ([path, { parameters: shared = [], head: _answeredAsGet, ...item }]) =>
    Object.entries<Json>(item).map(([method, source]) => ({
      id: source.operationId,
      method: method.toUpperCase(),
      path,
      parameters: [...shared, ...(source.parameters ?? [])].map(resolve),
      responses: Object.fromEntries(
        Object.entries(source.responses).flatMap(([s, r]) => (s === "default" ? [] : [[s, resolve(r)]])),
      ),
      source,
    })),
);
const operation = (id: string): Operation => {
  const found = operations.find((candidate) => candidate.id === id);
  if (found === undefined) throw new Error(`openapi.yaml has no operation ${id}`);
  return found;
};

// Since 1.1 an export has parts.
const PARTS = [206, 412, 416];

// operationId, method, path, statuses in the specification, statuses that the service adds.
// 304 is the answer to If-None-Match; 422 answers unknown query parameters; 413 and 415 bodies.
const OPERATIONS: [string, string, string, number[], number[]][] = [
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

const QUERY: Record<string, [string, Json][]> = {
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
const PATH: Record<string, [string, Json][]> = {
  readRecords: [["code", code]],
  exportFeed: [["code", code]],
  lookUpCarrier: [["dot", { type: "string", pattern: "^[0-9]{1,8}$", maxLength: 8 }]],
  pauseWebhook: [["endpoint_id", endpointId]],
  testWebhook: [["endpoint_id", endpointId]],
  rotateWebhookSecret: [["endpoint_id", endpointId]],
};

// schema or member path, then field: type. A "?" after the name means not required.
const SCHEMAS: Record<string, Record<string, string>> = {
  FeedOut: {
    code: "string",
    name: "string",
    country: "string",
    cadence: "string",
    "as_of?": "string(date)|null",
    fresh: "boolean",
    allowed_filters: "array of string",
    columns: "array of string",
    "volatile_columns?": "array of string",
    "regions?": "array|null of string",
  },
  FeedsOut: { data: "array of FeedOut" },
  RecordsOut: {
    data: "array of record",
    page: "integer",
    page_size: "integer",
    has_more: "boolean",
    as_of: "string(date)|null",
    meta: "object",
  },
  // total_rows, checkpoint and verified_on since 1.1.
  "RecordsOut.meta": {
    feed: "string",
    scope: "object",
    version: "integer",
    "total_rows?": "integer",
    "checkpoint?": "Checkpoint or null",
    "verified_on?": "VerifiedOn",
  },
  "RecordsOut.meta.scope": { regions: "array|null of string" },
  EventOut: {
    id: "integer",
    type: "EventType",
    country: "string",
    usdot: "string",
    "docket?": "string|null",
    "state?": "string|null",
    "occurred_at?": "string(date)|null",
    "detected_at?": "string(date-time)|null",
    source_dataset: "string",
    "verify_method?": "string|null",
    "data?": "EventData",
  },
  // After the two of the specification, the ones added in 1.1.
  EventData: {
    "legal_name?": "string",
    "reason?": "string",
    "authority_type?": "string",
    "status_before?": "string|null",
    "status_after?": "string|null",
    "effective_date?": "string(date)|null",
    "corrected_at?": "string(date-time)",
    "correction?": "CorrectionKind",
    "status_now?": "string|null",
  },
  EventsOut: {
    data: "array of EventOut",
    next_cursor: "string|null",
    as_of: "string(date-time)",
    meta: "object",
  },
  "EventsOut.meta": {
    types: "array of EventType",
    scope: "object",
    resume_cursor: "string",
    "kept_since?": "string(date-time)|null",
    "has_gap?": "boolean",
  },
  WebhookIn: {
    url: "string",
    event_types: "array of EventType",
    "description?": "string|null",
    "filters?": "WebhookFilters",
    "payload?": "WebhookPayload",
    "honor_retry_after?": "boolean",
    "corrections?": "boolean",
    "changes?": "boolean",
  },
  WebhookOut: {
    id: "integer",
    url: "string",
    "description?": "string|null",
    event_types: "array of EventType",
    active: "boolean",
    "failure_streak?": "integer",
    "disabled_reason?": "string|null",
    "secret_prefix?": "string|null",
    "created_at?": "string(date-time)|null",
    "secret?": "string|null",
    // The next six since 1.1.
    "filters?": "WebhookFilters",
    "payload?": "WebhookPayload",
    "honor_retry_after?": "boolean",
    "corrections?": "boolean",
    "changes?": "boolean",
    "previous_secret_valid_until?": "string(date-time)|null",
  },
  WebhooksOut: { data: "array of WebhookOut", available_event_types: "array of EventType" },
  // forecast and by_key since 1.1.
  UsageOut: {
    month_start: "string(date)",
    usage: "object",
    limits: "object",
    "forecast?": "UsageForecast or null",
    "by_key?": "array of KeyUsage",
  },
  SecretOut: {
    id: "integer",
    secret: "string",
    secret_prefix: "string",
    "previous_secret_valid_until?": "string(date-time)|null",
  },
  "UsageOut.usage": {
    api_requests: "integer",
    api_rows: "integer",
    export_rows: "integer",
    quota_rows: "integer",
  },
  // concurrent_exports and watched_carriers since 1.1.
  "UsageOut.limits": {
    api_rows_month: "integer",
    api_rpm: "integer",
    api_rows_left: "integer",
    "concurrent_exports?": "integer",
    "watched_carriers?": "integer",
  },
  OptOutIn: {
    "usdot?": "string|null",
    "mc?": "string|null",
    "phone?": "string|null",
    "email?": "string|null",
    "requester_email?": "string|null",
    "details?": "string|null",
  },
  OptOutOut: { request_id: "integer", status: "string" },
  Problem: {
    "type?": "string(uri)",
    title: "string",
    status: "integer",
    detail: "string",
    code: "string",
  },
  ValidationErrors: { detail: "array of object" },
  "ValidationErrors.detail": { loc: "array of string or integer", msg: "string", type: "string" },
  CarrierOut: {
    usdot: "string",
    company: "string",
    records: "array of object",
    events: "array of EventOut",
    // Since 1.1.
    "connected?": "integer|null",
    "connected_ended?": "integer|null",
  },
  "CarrierOut.records": { feed: "string", as_of: "string(date)|null", record: "record" },
  TestDeliveryOut: { delivery_id: "integer", endpoint_id: "integer", status: "string" },
  DeliveryBody: { id: "string", type: "EventType", created: "string(date-time)", data: "object" },
  "DeliveryBody.data": {
    usdot: "string",
    docket: "string|null",
    state: "string|null",
    occurred_at: "string(date)|null",
    source_dataset: "string",
    verify_method: "string|null",
    data: "EventData",
    // Since 1.1.
    "test?": "boolean",
  },
};

const ANSWERS: Record<string, [number, string]> = {
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
const PROBLEMS: [number, string][] = [
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
const PROBLEMS_OUTSIDE: [number, string][] = [
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
const CODES: Record<string, Record<number, string[]>> = {
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

const recordSchemas: [string, Json][] = Object.entries<Json>(document.components.schemas).filter(
  ([, schema]) => schema["x-feed"] !== undefined,
);

/** The columns of each feed's records, in order; catalogue.test.ts compares them with those of 1.0. */
const COLUMNS: Record<string, string[]> = Object.fromEntries(
  recordSchemas.map(([, schema]) => [schema["x-feed"], Object.keys(schema.properties)]),
);

const withoutText = (schema: Json): Json => {
  const { description: _description, "x-label": _label, ...rest } = schema;
  return rest;
};

/** A schema's type in the notation of the table SCHEMAS. */
const typeOf = (schema: Json): string => {
  if (schema.$ref) return schema.$ref.split("/").at(-1);
  if (schema.anyOf?.every((option: Json) => resolve(option)["x-feed"])) return "record";
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(" or ");
  const types = [schema.type].flat();
  const format = types[0] === "string" && schema.format ? `(${schema.format})` : "";
  const name = [`${types[0]}${format}`, ...types.slice(1)].join("|");
  return schema.items ? `${name} of ${typeOf(schema.items)}` : name;
};

/** Calls `visit` with every schema of the document and its path. */
const visitSchemas = (visit: (schema: Json, path: string) => void): void => {
  const walk = (node: Json, path: string): void => {
    if (typeof node !== "object" || node === null) return;
    if (typeof node.type === "string" || Array.isArray(node.type)) visit(node, path);
    for (const [key, child] of Object.entries(node)) if (key !== "example") walk(child, `${path}/${key}`);
  };
  walk(document.paths, "paths");
  walk(document.webhooks, "webhooks");
  for (const part of ["parameters", "headers", "responses", "schemas"])
    walk(document.components[part], `components/${part}`);
};

const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
(addFormats.default ?? addFormats)(ajv);
const EXTENSIONS = ["x-feed", "x-since", "x-volatile", "x-personal", "x-year", "x-label", "x-source"];
ajv.addVocabulary([...EXTENSIONS, "discriminator", "components"]);
ajv.addSchema({ $id: "contract", components: { schemas: document.components.schemas } } as Json);
const faults = (schema: Json, value: unknown): string => {
  const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"contract#/components'));
  const validate = ajv.compile(absolute);
  return validate(value) ? "" : ajv.errorsText(validate.errors);
};

describe("operations", () => {
  it("are those of the specification, with its methods and paths, among others", () => {
    expect(operations.map(({ id, method, path }) => [id, method, path])).toEqual(
      expect.arrayContaining(OPERATIONS.map(([id, method, path]) => [id, method, path])),
    );
    expect(document.info.version).toBe("1.0.0");
    expect(document.openapi).toBe("3.1.0");
  });

  it.each(OPERATIONS)(
    "%s declares exactly the statuses it can answer",
    (id, _method, _path, specified, added) => {
      const declared = Object.keys(operation(id).responses).map(Number);
      expect(declared.sort()).toEqual([...specified, ...added].sort());
    },
  );

  it("take the key in X-API-Key, except the removal request", () => {
    expect(resolve(document.components.securitySchemes.apiKey)).toMatchObject({
      type: "apiKey",
      in: "header",
      name: "X-API-Key",
    });
    expect(document.security).toEqual([{ apiKey: [] }]);
    for (const { id, source } of operations)
      expect(source.security).toEqual(id === "requestRemoval" ? [] : undefined);
  });

  it.each(Object.entries(ANSWERS))("%s answers the specified shape", (id, [status, schema]) => {
    expect(operation(id).responses[status].content["application/json"].schema.$ref).toBe(
      `#/components/schemas/${schema}`,
    );
  });

  it("answer CSV on the export and nothing on a pause or a 304", () => {
    expect(Object.keys(operation("exportFeed").responses[200].content)).toEqual(["text/csv"]);
    expect(Object.keys(operation("exportFeedAsNdjson").responses[200].content)).toEqual([
      "application/x-ndjson",
    ]);
    expect(Object.keys(operation("exportFeedAsParquet").responses[200].content)).toEqual([
      "application/vnd.apache.parquet",
    ]);
    expect(operation("pauseWebhook").responses[204].content).toBeUndefined();
    for (const id of ["readRecords", "exportFeed"])
      expect(operation(id).responses[304].content, id).toBeUndefined();
  });

  it("accept the specified bodies and no others", () => {
    const bodies = OPERATIONS.map(([id]) => operation(id)).flatMap(({ id, source }) =>
      source.requestBody
        ? [[id, source.requestBody.required, source.requestBody.content["application/json"].schema.$ref]]
        : [],
    );
    expect(bodies).toEqual([
      ["createWebhook", true, "#/components/schemas/WebhookIn"],
      ["rotateWebhookSecret", false, "#/components/schemas/RotationIn"],
      ["requestRemoval", true, "#/components/schemas/OptOutIn"],
    ]);
  });
});

/** Whether it was there in 1.0: an addition names its revision. */
const isOf1_0 = (parameter: Json): boolean => parameter["x-since"] === undefined;

describe("parameters", () => {
  const rows = OPERATIONS.flatMap(([id]) => [
    ...(PATH[id] ?? []).map(([name, schema]) => [id, "path", name, schema] as const),
    ...(QUERY[id] ?? []).map(([name, schema]) => [id, "query", name, schema] as const),
  ]);

  it.each(rows)(
    "%s accepts the %s parameter %s with its constraints and default",
    (id, location, name, schema) => {
      const found = operation(id).parameters.find((parameter) => parameter.name === name);
      expect(found).toMatchObject({ in: location, required: location === "path" });
      expect(found.schema).toEqual(schema);
      expect(found.description).toMatch(/\w/);
    },
  );

  it("are only the specified ones, version, and those that name their revision", () => {
    for (const [id] of OPERATIONS)
      expect(
        operation(id)
          .parameters.filter(isOf1_0)
          .map((parameter) => parameter.name)
          .sort(),
        id,
      ).toEqual([...(PATH[id] ?? []), ...(QUERY[id] ?? [])].map(([name]) => name).sort());
  });

  it("that are lists are comma-separated", () => {
    const lists = operations.flatMap(({ parameters }) =>
      parameters.filter((parameter) => parameter.schema.type === "array"),
    );
    expect(lists.map(({ name }) => name)).toEqual(expect.arrayContaining(["state", "type"]));
    for (const list of lists) expect(list).toMatchObject({ style: "form", explode: false });
  });

  it.each(SPECIFIED_FILTER_ROWS)("%j are filters of exactly the specified feeds", (names, feeds) => {
    const { description } = operation("readRecords").source;
    expect(description).toContain(`| ${names.join(", ")} | ${feeds.join(", ")} |`);
    for (const id of ["readRecords", "exportFeed"])
      for (const name of names)
        expect(operation(id).parameters.find((parameter) => parameter.name === name)).toMatchObject({
          "x-filter": true,
          "x-feeds": feeds,
        });
  });

  it("are the same for every format of an export, but for the columns of JSON", () => {
    const of = (id: string) => operation(id).parameters.map(({ name }) => name);
    expect(of("exportFeedAsNdjson").filter((name) => name !== "fields")).toEqual(of("exportFeed"));
    expect(of("exportFeedAsParquet")).toEqual(of("exportFeed"));
  });

  it("that are not filters are not marked as such", () => {
    const marked = operations.flatMap(({ parameters }) =>
      parameters.filter((parameter) => parameter["x-filter"] && isOf1_0(parameter)),
    );
    expect(new Set(marked.map(({ name }) => name))).toEqual(new Set(SPECIFIED_FILTERS.keys()));
  });
});

describe("schemas", () => {
  it.each(Object.entries(SCHEMAS))("%s has the specified fields", (path, fields) => {
    const [name, ...members] = path.split(".");
    let schema = document.components.schemas[name ?? ""];
    for (const member of members)
      schema = resolve(schema.properties[member].items ?? schema.properties[member]);
    const actual = Object.fromEntries(
      Object.entries<Json>(schema.properties).map(([field, type]) => [
        schema.required?.includes(field) ? field : `${field}?`,
        typeOf(type),
      ]),
    );
    expect(actual).toEqual(fields);
  });

  it("know the specified event types", () => {
    expect(document.components.schemas.EventType.enum).toEqual(SPECIFIED_EVENT_TYPES);
  });

  it("have the specified lengths and defaults", () => {
    const { WebhookIn, OptOutIn, WebhookOut, Problem } = document.components.schemas;
    expect(WebhookIn.properties.url.maxLength).toBe(2000);
    expect(WebhookIn.properties.description.maxLength).toBe(120);
    expect(OptOutIn.properties.details.maxLength).toBe(2000);
    expect(WebhookOut.properties.failure_streak.default).toBe(0);
    expect(Problem.properties.type.default).toBe("about:blank");
  });

  it("bound every integer", () => {
    visitSchemas((schema, path) => {
      if ([schema.type].flat().includes("integer"))
        expect(schema, path).toMatchObject({
          format: expect.stringMatching(/^int(32|64)$/),
          minimum: expect.any(Number),
          maximum: expect.any(Number),
        });
    });
  });

  it("bound every string and list", () => {
    visitSchemas((schema, path) => {
      if (/\/content\/(text\/csv|application\/x-ndjson)\//.test(path)) return;
      const types = [schema.type].flat();
      if (types.includes("string"))
        expect(schema.maxLength ?? schema.enum ?? schema.format, path).toBeDefined();
      if (types.includes("array")) expect(schema.maxItems, path).toBeDefined();
    });
  });
});

describe("records", () => {
  it.each(Object.entries(COLUMNS))(
    "of %s have its columns, in order, all required and described",
    (feed, columns) => {
      const schema = recordSchemas.find(([, candidate]) => candidate["x-feed"] === feed)?.[1];
      expect(schema.required).toEqual(columns);
      expect(schema.additionalProperties).not.toBe(false);
      for (const column of columns) expect(schema.properties[column].description, column).toMatch(/\w/);
    },
  );

  it("are the records that a page may have", () => {
    const options = document.components.schemas.RecordsOut.properties.data.items.anyOf;
    expect(options.map(({ $ref }: Json) => resolve({ $ref })["x-feed"])).toEqual(Object.keys(COLUMNS));
  });

  it("have the types of the six columns in the specification", () => {
    for (const [name, { properties }] of recordSchemas) {
      const known = ["company", "dot_number", "authority_status", "last_verified"].map((c) =>
        typeOf(properties[c]),
      );
      expect(known, name).toEqual(["string", "string", "string", "string(date)"]);
      // The feed's rule wants the day of the grant (src/feeds/rules/feed-rules.ts).
      const isGranted = name === "NewAuthorityRecord";
      expect(typeOf(properties.authority_granted)).toBe(isGranted ? "string(date)" : "string(date)|null");
      expect(withoutText(properties.state)).toEqual({
        type: ["string", "null"],
        maxLength: 2,
        pattern: "^[A-Z]{2}$",
      });
    }
  });
});

describe("headers", () => {
  const RATE = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];
  const QUOTA = ["X-Quota-Limit", "X-Quota-Remaining", "X-Quota-Reset", "X-Quota-Cost"];
  const answers = operations.flatMap(({ id, responses }) =>
    Object.entries(responses).map(([status, response]) => ({
      id,
      status: Number(status),
      headers: response.headers ?? {},
    })),
  );
  const EXPORT_HEADERS = [
    "Content-Disposition",
    "X-Licence-Reference",
    "Accept-Ranges",
    "X-Row-Count",
  ].concat(
    ["X-Checkpoint-Version", "X-Checkpoint-Removals", "X-Checkpoint-Digest", "Content-Length"],
    ["X-As-Of", "X-Verified-On-Motus", "X-Verified-On-Legacy"],
  );
  const TAKES_KEY = new Set(operations.filter(({ responses }) => responses[409]).map(({ id }) => id));
  const OFTEN_UNKNOWN = ["X-Checkpoint-Digest", "Content-Length"];
  const names = (status: number, id: string): string[] => {
    const isPublic = id === "requestRemoval";
    const isExport = id.startsWith("exportFeed") && (status === 200 || status === 206);
    return [
      ...(isPublic || status === 401 ? [] : RATE),
      ...(status === 429 || status === 503 || status === 409 ? ["Retry-After"] : []),
      ...(TAKES_KEY.has(id) && status < 300 ? ["Idempotent-Replayed"] : []),
      ...(isExport || (id === "readRecords" && status === 200) || status === 304 ? ["ETag"] : []),
      ...(isExport ? EXPORT_HEADERS : []),
      ...(status === 206 || status === 416 ? ["Content-Range"] : []),
      // Headers that are not in the specification: the rows of the month, test mode, how to authenticate, and that pages of any
      // site may read the answer.
      ...(isPublic || status === 401 ? [] : [...QUOTA, "X-Key-Expires"]),
      ...(status === 401 ? [] : ["X-Test-Mode"]),
      ...(status === 401 ? ["WWW-Authenticate"] : []),
      ...(isPublic ? ["Access-Control-Allow-Origin"] : []),
      "X-Request-Id",
    ];
  };

  it.each(answers)("of $id $status are those of this answer", ({ id, status, headers }) => {
    expect(Object.keys(headers).sort()).toEqual(names(status, id).sort());
    for (const [name, header] of Object.entries(headers)) {
      // An error can happen before the request was counted; then these are absent.
      const isOptional =
        ([...RATE, ...QUOTA].includes(name) && status >= 500) ||
        OFTEN_UNKNOWN.includes(name) ||
        name === "Idempotent-Replayed" ||
        name === "X-Key-Expires" ||
        name === "X-Test-Mode" ||
        // Only with request_in_progress.
        (name === "Retry-After" && status === 409);
      expect(resolve(header).required, `${id} ${status} ${name}`).toBe(!isOptional);
    }
  });
});

describe("problems", () => {
  it("are declared once, with their status", () => {
    const declared = Object.entries<Json>(document["x-problems"]).map(([name, { status }]) => [status, name]);
    const byName = (a: Json, b: Json): number => String(a[1]).localeCompare(String(b[1]));
    expect(declared.sort(byName)).toEqual([...PROBLEMS, ...PROBLEMS_OUTSIDE].sort(byName));
    expect(document.components.schemas.Problem.properties.code.examples).toEqual(
      Object.keys(document["x-problems"]),
    );
    for (const [name, { title, meaning }] of Object.entries<Json>(document["x-problems"])) {
      expect(title, name).toMatch(/^[A-Z].*[^.]$/);
      expect(meaning, name).toMatch(/^[A-Z].*\.$/s);
    }
  });

  const shown = operations.flatMap(({ id, responses }) =>
    Object.entries(responses).flatMap(([status, response]) =>
      Object.entries<Json>(response.content?.["application/problem+json"]?.examples ?? {}).map(
        ([name, example]) => ({
          id,
          status: Number(status),
          name,
          value: resolve(example).value,
        }),
      ),
    ),
  );

  it.each(shown)("$id $status example $name agrees with its declaration", ({ status, name, value }) => {
    const declared = document["x-problems"][name];
    expect(value).toMatchObject({ code: name, status, type: `http://127.0.0.1:3000/problems/${name}` });
    expect(declared).toMatchObject({ status, title: value.title });
  });

  it("have an example for each operation that can answer them, and no other", () => {
    expect(new Set(shown.map(({ name }) => name))).toEqual(new Set(PROBLEMS.map(([, name]) => name)));
    for (const [id, byStatus] of Object.entries(CODES))
      for (const [status, codes] of Object.entries(byStatus))
        expect(
          shown
            .filter((row) => row.id === id && row.status === Number(status))
            .map(({ name }) => name)
            .sort(),
          `${id} ${status}`,
        ).toEqual(codes);
  });

  it("are application/problem+json, and 422 is application/json with its own shape", () => {
    for (const { id, responses } of operations)
      for (const [status, response] of Object.entries(responses)) {
        if (Number(status) < 400) continue;
        const [type, schema] =
          status === "422"
            ? ["application/json", "ValidationErrors"]
            : ["application/problem+json", "Problem"];
        expect(Object.keys(response.content), `${id} ${status}`).toEqual([type]);
        expect(response.content[type].schema.$ref).toBe(`#/components/schemas/${schema}`);
      }
  });
});

describe("examples", () => {
  const media = [
    ...operations.flatMap(({ id, responses, source }) => [
      ...Object.entries(responses).flatMap(([status, response]) =>
        Object.entries<Json>(response.content ?? {}).map(([type, content]) => ({
          owner: `${id} ${status} ${type}`,
          content,
        })),
      ),
      ...Object.entries<Json>(source.requestBody?.content ?? {}).map(([type, content]) => ({
        owner: `${id} request ${type}`,
        content,
      })),
    ]),
    {
      owner: "carrierEvent request",
      content: document.webhooks.carrierEvent.post.requestBody.content["application/json"],
    },
  ];

  it.each(media)("of $owner exist and fit their schema", ({ content }) => {
    const examples = Object.entries<Json>(content.examples ?? {});
    expect(examples.length).toBeGreaterThan(0);
    for (const [name, example] of examples)
      expect(faults(content.schema, resolve(example).value), name).toBe("");
  });

  it("of parameters and headers fit their schema", () => {
    const described = [
      ...operations.flatMap(({ parameters }) => parameters),
      ...document.webhooks.carrierEvent.post.parameters,
      ...Object.values(document.components.headers),
    ].filter(({ example }) => example !== undefined);
    expect(described.length).toBeGreaterThan(10);
    for (const { name, description, schema, example } of described)
      expect(faults(schema, example), name ?? description).toBe("");
  });

  it("show a record of every feed, its members in the order of the columns", () => {
    const pages = Object.values<Json>(
      operation("readRecords").responses[200].content["application/json"].examples,
    )
      .map((example) => resolve(example).value)
      .filter(({ data }) => data.length > 0);
    expect(pages.map(({ meta }) => meta.feed)).toEqual(Object.keys(COLUMNS));
    for (const { data, meta } of pages) {
      const [name] = recordSchemas.find(([, schema]) => schema["x-feed"] === meta.feed) ?? [];
      for (const record of data) {
        expect(Object.keys(record)).toEqual(COLUMNS[meta.feed]);
        expect(faults({ $ref: `#/components/schemas/${name}` }, record)).toBe("");
      }
    }
  });

  it("of CSV have the columns and last licence_ref, and CRLF line ends", () => {
    const examples = operation("exportFeed").responses[200].content["text/csv"].examples;
    for (const [feed, example] of Object.entries<Json>(examples)) {
      const lines: string[] = resolve(example).value.split("\r\n");
      expect(lines.pop()).toBe("");
      expect(lines[0]).toBe([...(COLUMNS[feed] ?? []), "licence_ref"].join(","));
      expect(lines.length).toBeGreaterThan(1);
      for (const line of lines) expect(line.split(",").length).toBe(lines[0]?.split(",").length);
    }
  });

  it("of feeds name the filters of the specification's table first, in its order, and the columns", () => {
    const { data } = resolve(
      operation("listFeeds").responses[200].content["application/json"].examples.feeds,
    ).value;
    for (const { code: feed, allowed_filters, columns } of data) {
      const allowed = [...SPECIFIED_FILTERS]
        .filter(([, feeds]) => feeds.includes(feed))
        .map(([name]) => name);
      expect(allowed_filters.slice(0, allowed.length)).toEqual(allowed);
      expect(columns).toEqual(COLUMNS[feed]);
    }
  });

  it("use no telephone number or address of a real person", () => {
    const text = readFileSync(new URL("../../openapi.yaml", import.meta.url), "utf8");
    for (const [, digits] of text.matchAll(/(?:phone: '|,)(\d{10})\b/g))
      expect(digits).toMatch(/^\d{3}55501\d\d$/);
    for (const [, host] of text.matchAll(/[\w.]@([\w.-]+)/g)) expect(host).toBe("example.com");
  });
});

describe("the webhook", () => {
  const { post } = document.webhooks.carrierEvent;

  it("is a signed POST of the delivery body", () => {
    expect(post.operationId).toBe("carrierEvent");
    expect(post.security).toEqual([]);
    expect(post.requestBody.required).toBe(true);
    // The thin one since 1.1.
    expect(post.requestBody.content["application/json"].schema).toEqual({
      anyOf: [
        { $ref: "#/components/schemas/DeliveryBody" },
        { $ref: "#/components/schemas/ThinDeliveryBody" },
      ],
    });
  });

  it("has the signature and the other delivery headers", () => {
    const names = post.parameters.map((parameter: Json) => [
      parameter.name,
      parameter.in,
      parameter.required,
    ]);
    expect(names).toEqual(
      [
        "Service-Signature",
        "Service-Event-Id",
        "Service-Delivery-Id",
        "Service-Delivery-Attempt",
        // The three of Standard Webhooks, since 1.1.
        "webhook-id",
        "webhook-timestamp",
        "webhook-signature",
        "User-Agent",
      ].map((name) => [name, "header", true]),
    );
    // The second v1 since 1.1, after a rotation with an overlap.
    expect(post.parameters[0].schema.pattern).toBe("^t=[0-9]{1,12}(,v1=[0-9a-f]{64}){1,2}$");
    expect(document.components.schemas.DeliveryBody.properties.id.pattern).toBe("^evt_[0-9]{1,16}$");
  });
});
