import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import type { FeedSource } from "./feeds.ts";
import type { ToolSource } from "./tools.ts";

/** openapi.yaml for the generator: references resolved, one entry per operation. */
export interface Contract {
  document: Document;
  operations: Operation[];
}

interface Document {
  /**
   * Every operation has all its parameters, also the ones that openapi.yaml gives to its path. HEAD is left out: the
   * program answers it as GET.
   */
  paths: Record<string, Record<string, OperationSource>>;
  security?: unknown[];
  components: { parameters: Record<string, FilterSource>; schemas: Record<string, Schema> };
  "x-feeds": Record<string, FeedSource>;
  "x-events": Record<string, EventSource>;
  "x-mcp": { instructions: string; filters: Record<string, Schema> };
  "x-scopes": Record<string, ScopeSource>;
  "x-test-situations": Record<string, string>;
  /** What a text of a pattern is, which ends the sentence "must be …". */
  "x-patterns": Record<string, string>;
  "x-problems": Record<string, { status: number; title: string; meaning: string }>;
}

type PathSource = { [method: string]: OperationSource } & { parameters?: (Parameter | Reference)[] };

interface OperationSource {
  operationId: string;
  summary: string;
  description?: string;
  "x-mcp"?: ToolSource;
  "x-body-bytes"?: number;
  "x-scope"?: string;
  "x-status"?: string;
  security?: unknown[];
  parameters?: (Parameter | Reference)[];
  requestBody?: { content: Record<string, { schema: Schema | Reference }> } | Reference;
  responses: Record<string, Response | Reference>;
}

export interface Reference {
  $ref: string;
}

export interface Parameter {
  name: string;
  in: "path" | "query" | "header" | "body";
  required?: boolean;
  description?: string;
  "x-filter"?: boolean;
  "x-feeds"?: string[];
  schema: Schema;
}

/** An event type. docs/contract.md explains the members. */
export interface EventSource {
  label: string;
  tone: "good" | "warn" | "bad" | "info" | "plain";
  sentence: string | null;
  feeds: string[];
}

/** What a key with a scope may do. */
interface ScopeSource {
  label: string;
  /** Ends the sentence "may …". */
  allows: string;
  /** Only a key that is made with it has it. */
  on_request?: true;
}

/** A parameter that filters feeds. */
export interface FilterSource extends Parameter {
  "x-feeds": string[];
  "x-column": string;
  "x-match": string;
  "x-form": { label: string; placeholder?: string; choices?: Record<string, string> };
}

export interface Schema {
  type?: string | string[];
  format?: string;
  description?: string;
  default?: unknown;
  examples?: unknown[];
  maximum?: number;
  maxLength?: number;
  pattern?: string;
  enum?: (string | null)[];
  items?: Schema;
  anyOf?: (Schema | Reference)[];
  required?: string[];
  properties?: Record<string, Schema>;
  /** The feed whose records the schema describes. */
  "x-feed"?: string;
  /** How its value follows from another column and the days of the version. */
  "x-volatile"?: { verified_on: string } | { days_since: string };
  /** Its name on pages for people. */
  "x-label"?: string;
  "x-year"?: boolean;
  "x-personal"?: "identity" | "contact";
  "x-source"?: string[];
}

export interface Response {
  headers?: Record<string, Header>;
  content?: Record<string, unknown>;
}

interface Header {
  required?: boolean;
}

export interface Operation {
  id: string;
  summary: string;
  method: string;
  path: string;
  isPublic: boolean;
  isLive: boolean;
  /** The scope that its key needs; null where it takes no key. */
  scope: string | null;
  hasBody: boolean;
  /** The most bytes that its body may have; undefined: as most operations. */
  bodyBytes: number | undefined;
  /** Whether its body has `dry_run`, which is true unless it is sent as false. */
  hasDryRun: boolean;
  parameters: Parameter[];
  /** The members of its body. */
  members: Parameter[];
  /** By status, without the problems that every operation can have (`default`). */
  responses: [number, Response][];
  /** How it is a tool of the MCP server; undefined where it is none. */
  mcp: ToolSource | undefined;
}

const METHODS = ["get", "put", "post", "patch", "delete"];

/** Reads the contract; operations are in the order of the file. */
export async function readContract(file: string): Promise<Contract> {
  const source = parse(await readFile(file, "utf8"));
  const document: Document = { ...source, paths: mapValues(source.paths, withOwnParameters) };
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const source = item[method];
      return source ? [operationOf(document, method, path, source)] : [];
    }),
  );
  return { document, operations };
}

/** The operations of a path but HEAD, each with the parameters of the path before its own. */
function withOwnParameters({ parameters, head, ...operations }: PathSource): Record<string, OperationSource> {
  if (parameters === undefined) return operations;
  return mapValues(operations, (operation) => ({
    ...operation,
    parameters: [...parameters, ...(operation.parameters ?? [])],
  }));
}

const mapValues = <From, To>(values: Record<string, From>, map: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));

function operationOf(document: Document, method: string, path: string, source: OperationSource): Operation {
  const follow = <T extends object>(node: T | Reference): T => resolve(document, node);
  const json = source.requestBody && follow(source.requestBody).content["application/json"];
  const isPublic = (source.security ?? document.security ?? []).length === 0;
  const members = Object.entries((json && follow(json.schema).properties) ?? {});
  return {
    id: source.operationId,
    summary: source.summary,
    method: method.toUpperCase(),
    path,
    isPublic,
    isLive: source["x-status"] !== "planned",
    scope: isPublic ? null : scopeOf(document, source),
    hasBody: source.requestBody !== undefined,
    bodyBytes: source["x-body-bytes"],
    hasDryRun: members.some(([name]) => name === "dry_run"),
    parameters: (source.parameters ?? []).map((parameter) => {
      const followed = follow(parameter);
      const schema = follow(followed.schema);
      const items = schema.items && follow(schema.items);
      return { ...followed, schema: items ? { ...schema, items } : schema };
    }),
    members: members.map(([name, schema]) => ({ name, in: "body", schema: follow(schema) })),
    responses: Object.entries(source.responses)
      .filter(([status]) => status !== "default")
      .map(([status, response]) => {
        const followed = follow(response);
        return [Number(status), { ...followed, headers: mapValues(followed.headers ?? {}, follow) }];
      }),
    mcp: source["x-mcp"],
  };
}

function scopeOf(document: Document, { operationId, "x-scope": scope = "" }: OperationSource): string {
  const scopes = Object.keys(document["x-scopes"]);
  if (scopes.includes(scope)) return scope;
  throw new Error(`x-scope of ${operationId} must be one of ${scopes.join(", ")}`);
}

export function resolve<T extends object>(document: object, node: T | Reference): T {
  if (!("$ref" in node)) return node;
  const names = node.$ref.replace(/^#\//, "").split("/");
  const target = names.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document);
  return resolve(document, target as T | Reference);
}
