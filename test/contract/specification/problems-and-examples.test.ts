import { describe, expect, it } from "vitest";
import { digestOf } from "../../../packages/sdk/src/index.ts";
import { SPECIFIED_FILTERS } from "../../support/specification.ts";
import {
  COLUMNS,
  document,
  faults,
  type Json,
  openapiText,
  operation,
  operations,
  recordSchemas,
  resolve,
} from "./document.ts";
import { CODES, PROBLEMS, PROBLEMS_OUTSIDE } from "./tables.ts";

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

  // A client that handled what the mock refuses, such as a PATCH without a name, met other refusals at the service.
  it("of a 422 name parameters that the operation takes, and miss only members that it needs", () => {
    for (const { id, parameters, responses, source } of operations) {
      const body = resolve(source.requestBody?.content["application/json"].schema ?? {});
      const query = parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name);
      const examples = Object.entries<Json>(responses[422]?.content["application/json"].examples ?? {});
      for (const { loc, msg, type } of examples.flatMap(([, example]) => resolve(example).value.detail)) {
        const allowed = / allowed are (.*)$/.exec(msg)?.[1]?.split(", ") ?? [];
        if (type === "unknown") expect(allowed.length > 0, `${id}: ${msg}`).toBe(query.length > 0);
        else if (loc[0] === "query" && loc.length > 1) expect(query, id).toContain(loc[1]);
        if (type === "required") expect(body.required, `${id}: ${loc[1]}`).toContain(loc[1]);
        expect(query, id).toEqual(expect.arrayContaining(allowed));
      }
    }
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

  // A reader of the mock never came to the end of two of them.
  it("of whole feeds end, and have the checkpoint of their records", () => {
    const { examples } = operation("readRecords").responses[200].content["application/json"];
    for (const { data, has_more, meta } of Object.keys(COLUMNS).map(
      (feed) => resolve(examples[feed]).value,
    )) {
      const schema = recordSchemas.find(([, { "x-feed": feed }]) => feed === meta.feed)?.[1];
      const lasting = (COLUMNS[meta.feed] ?? []).filter((name) => !schema?.properties[name]["x-volatile"]);
      const { version, total_rows: rows } = meta;
      const checkpoint = { version, rows, digest: digestOf(data, lasting), removals: 31 };
      expect({ has_more, rows, checkpoint: meta.checkpoint }).toEqual({
        has_more: false,
        rows: data.length,
        checkpoint,
      });
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
    for (const { code: feed, allowed_filters, columns, volatile_columns } of data) {
      const allowed = [...SPECIFIED_FILTERS]
        .filter(([, feeds]) => feeds.includes(feed))
        .map(([name]) => name);
      expect(allowed_filters.slice(0, allowed.length)).toEqual(allowed);
      expect(columns).toEqual(COLUMNS[feed]);
      expect(volatile_columns).toEqual(["days_in_business", "last_verified"]);
    }
  });

  it("use no telephone number or address of a real person", () => {
    for (const [, digits] of openapiText.matchAll(/(?:phone: '|,)(\d{10})\b/g))
      expect(digits).toMatch(/^\d{3}55501\d\d$/);
    for (const [, host] of openapiText.matchAll(/[\w.]@([\w.-]+)/g)) expect(host).toBe("example.com");
  });
});
