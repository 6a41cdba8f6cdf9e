import { describe, expect, it } from "vitest";
import { SPECIFIED_FILTER_ROWS, SPECIFIED_FILTERS } from "../../support/specification.ts";
import { document, type Json, operation, operations, resolve } from "./document.ts";
import { ANSWERS, OPERATIONS, PATH, QUERY } from "./tables.ts";

/** Whether it was there in 1.0: an addition names its revision. */
const isOf1_0 = (parameter: Json): boolean => parameter["x-since"] === undefined;

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
