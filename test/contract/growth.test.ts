// What may be added to openapi.yaml without breaking a client, and what is closed.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { CONTRACT_FILE, validatorOf } from "./prism/contract-document.ts";

// biome-ignore lint/suspicious/noExplicitAny: the document is read as data; its shape is what is tested
type Json = any;
const document: Json = parse(readFileSync(CONTRACT_FILE, "utf8"));
const { schemas, responses, examples } = document.components;

const fits = (name: string, value: unknown): boolean =>
  validatorOf({ $ref: `#/components/schemas/${name}` })(value);

describe("a problem", () => {
  it("may have a code that does not exist yet", () => {
    const { value } = examples.Unavailable;
    expect(fits("Problem", { ...value, code: "a_code_of_2031" })).toBe(true);
    expect(fits("Problem", { ...value, code: 1 })).toBe(false);
  });

  it("that no operation lists is the default answer of all", () => {
    const operations = Object.values<Json>(document.paths).flatMap(
      ({ parameters: _ofAll, head: _bodiless, ...item }) => Object.values<Json>(item),
    );
    for (const operation of operations)
      expect(operation.responses.default, operation.operationId).toEqual({
        $ref: "#/components/responses/OtherProblem",
      });
    const { schema, examples: shown } = responses.OtherProblem.content["application/problem+json"];
    expect(schema.$ref).toBe("#/components/schemas/Problem");
    expect(Object.keys(shown)).toEqual(["bad_request", "method_not_allowed", "request_timeout"]);
    for (const [code, { $ref }] of Object.entries<Json>(shown)) {
      const { status, title } = document["x-problems"][code];
      const type = `http://127.0.0.1:3000/problems/${code}`;
      expect(examples[$ref.split("/").at(-1)].value).toMatchObject({ type, title, status, code });
    }
  });

  // The service sends them with every answer to a known key, also with those that no operation lists.
  it("that no operation lists has the headers of a counted request, none of them required", () => {
    const names = [...Object.keys(responses.InternalError.headers), "Retry-After"].sort();
    for (const { headers } of [responses.OtherProblem, responses.HeadProblem]) {
      expect(Object.keys(headers).sort()).toEqual(names);
      for (const [name, { $ref }] of Object.entries<Json>(headers))
        expect(document.components.headers[$ref.split("/").at(-1)].required, name).toBe(
          name === "X-Request-Id",
        );
    }
  });
});

describe("a list of words", () => {
  const listsOf = (node: Json, path: string[] = []): { path: string; schema: Json }[] => {
    if (typeof node !== "object" || node === null) return [];
    const own = node.type !== undefined ? [{ path: path.join("."), schema: node }] : [];
    return [...own, ...Object.entries(node).flatMap(([name, child]) => listsOf(child, [...path, name]))];
  };
  const all = listsOf(schemas);

  it("that is open says so, takes other words and names those of today", () => {
    const open = all.filter(({ schema }) => /\bopen list\b/.test(schema.description ?? ""));
    expect(open.map(({ path }) => path)).toEqual(
      expect.arrayContaining(["Problem.properties.code", "FeedVersionOut.properties.cause"]),
    );
    for (const { path, schema } of open.filter(({ schema }) => schema.type !== "object")) {
      expect(schema.enum, path).toBeUndefined();
      expect(schema.maxLength, path).toBeGreaterThanOrEqual(64);
    }
  });

  it("that has examples of words and no format is open, if it is no column", () => {
    const named = all.filter(
      ({ path, schema }) =>
        schema.examples !== undefined && !schema.format && !schemas[path.split(".")[0] ?? ""]["x-feed"],
    );
    const silent = named.filter(
      ({ schema }) => !/open list|now one of|as a rule|values of/.test(schema.description),
    );
    expect(silent.map(({ path }) => path)).toEqual([]);
  });

  it("of event types or of changes is closed", () => {
    for (const name of ["EventType", "ChangeOp"]) {
      expect(schemas[name].enum.length, name).toBeGreaterThan(0);
      expect(schemas[name].description, name).toMatch(/A closed list/);
    }
  });
});

describe("a change", () => {
  const [changed, removed] = examples.FeedChanges.value.data;

  it("is one of three, told apart by op", () => {
    const { oneOf, discriminator } = schemas.FeedChangeOut;
    const kinds = oneOf.map(({ $ref }: Json) => [
      schemas[$ref.split("/").at(-1)].properties.op.enum[0],
      $ref,
    ]);
    expect(discriminator).toEqual({ propertyName: "op", mapping: Object.fromEntries(kinds) });
    expect(kinds.map(([op]: string[]) => op)).toEqual(schemas.ChangeOp.enum);
  });

  it.each([
    ["changed", changed, true],
    ["removed", removed, true],
    ["changed without its record", { ...changed, record: undefined }, false],
    ["removed without a reason", { ...removed, reason: undefined }, false],
    ["with a member of a later revision", { ...removed, undone: true }, true],
  ])("%s: %#", (_what, change, isRight) => {
    expect(fits("FeedChangeOut", JSON.parse(JSON.stringify(change)))).toBe(isRight);
  });
});

describe("HEAD", () => {
  const RANGES = ["Range", "If-Range"];
  const parameterOf = ({ $ref, ...own }: Json): Json =>
    $ref === undefined ? own : document.components.parameters[$ref.split("/").at(-1)];

  it.each(Object.entries<Json>(document.paths).filter(([, { get }]) => get))(
    "of %s takes what GET takes",
    (_path, { get, head }) => {
      const names = ({ parameters = [] }: Json) => parameters.map(parameterOf).map(({ name }: Json) => name);
      expect(head.operationId).toBe(`${get.operationId}Headers`);
      expect(names(head)).toEqual(names(get).filter((name: string) => !RANGES.includes(name)));
      expect(head.responses[200].headers).toEqual(get.responses[200].headers);
      for (const answer of Object.values<Json>(head.responses))
        expect((answer.$ref ? responses[answer.$ref.split("/").at(-1)] : answer).content).toBeUndefined();
    },
  );

  it("and the conditions that an answer declares have their headers", () => {
    for (const { get } of Object.values<Json>(document.paths)) {
      const sent = (get?.parameters ?? []).map(parameterOf).filter((one: Json) => one.in === "header");
      const names = sent.map(({ name }: Json) => name);
      const has = (status: number) => get?.responses[status] !== undefined;
      expect(names).toEqual([
        ...(has(304) ? ["If-None-Match"] : []),
        ...(has(206) ? ["If-Match", "If-Range", "Range"] : []),
      ]);
    }
  });
});
