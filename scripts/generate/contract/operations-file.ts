import { adapterTypes } from "./adapter-types.ts";
import type { Contract, Operation, Parameter, Response } from "./contract.ts";

/** Headers that src/api sets on every answer; handlers return only the others. */
const COMMON_HEADERS =
  /^(X-RateLimit-.*|X-Quota-.*|X-Key-Expires|X-Test-Mode|X-Request-Id|Access-Control-.*)$/;

/** The operation table and the types of every operation's input, answers and handler. */
export function operationsFile(contract: Contract): string {
  const table = Object.fromEntries(
    contract.operations.map((operation) => [operation.id, entryOf(operation)]),
  );
  return `${HEAD}
export const operationTable = ${JSON.stringify(table, null, 2)} as const satisfies Record<string, Operation>;
${adapterTypes(contract.operations, table)}`;
}

export type Entry = ReturnType<typeof entryOf>;

const entryOf = (operation: Operation) => ({
  method: operation.method,
  path: operation.path,
  isPublic: operation.isPublic,
  isLive: operation.isLive,
  scope: operation.scope,
  hasBody: operation.hasBody,
  ...(operation.bodyBytes === undefined ? {} : { bodyBytes: operation.bodyBytes }),
  hasDryRun: operation.hasDryRun,
  hasFilters: operation.parameters.some((parameter) => parameter["x-filter"]),
  parameters: operation.parameters.map(parameterEntry),
  answers: Object.fromEntries(
    operation.responses
      .filter(([status]) => status < 400)
      .map(([status, answer]) => [status, answerEntry(answer)]),
  ),
  errors: operation.responses.map(([status]) => status).filter((status) => status >= 400),
});

function parameterEntry(parameter: Parameter) {
  const { items, default: defaultValue } = parameter.schema;
  return {
    name: parameter.name,
    member: parameter.in === "header" ? camelCase(parameter.name) : parameter.name,
    in: parameter.in,
    kind: kindOf(items ?? parameter.schema),
    isList: items !== undefined,
    isFilter: parameter["x-filter"] === true,
    isRequired: parameter.required === true,
    ...(defaultValue === undefined ? {} : { default: defaultValue }),
  };
}

const camelCase = (name: string): string =>
  name.toLowerCase().replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());

function kindOf(schema: Parameter["schema"]): string {
  if (schema.type === "integer" || schema.type === "boolean") return schema.type;
  if (schema.type !== undefined && schema.type !== "string")
    throw new Error(`No parameter can be a ${schema.type}`);
  return schema.format === "date" || schema.format === "date-time" ? schema.format : "string";
}

function answerEntry(response: Response) {
  const headers = Object.entries(response.headers ?? {}).filter(([name]) => !COMMON_HEADERS.test(name));
  const named = (isRequired: boolean): string[] =>
    headers.filter(([, { required }]) => (required === true) === isRequired).map(([name]) => name);
  return {
    media: Object.keys(response.content ?? {})[0] ?? null,
    headers: named(true),
    optionalHeaders: named(false),
  };
}

const HEAD = `// Written by \`npm run generate\` from openapi.yaml: the operations and their typed route adapters.
import type { Readable } from "node:stream";
import type { Caller } from "../accounts/keys/caller.ts";
import type { EntryContext } from "../platform/context.ts";
import type { JsonText } from "../platform/json-text.ts";
import type { Scope } from "./scopes.ts";
import type { operations } from "./types.ts";

/** An operation of the contract, for the router. */
export interface Operation {
  method: string;
  path: string;
  /** Takes no key. */
  isPublic: boolean;
  /** Whether it has a handler; the others are planned. */
  isLive: boolean;
  /** The scope that its key needs; null where it takes no key. */
  scope: Scope | null;
  hasBody: boolean;
  /** The most bytes that its body may have, if that is not as of most operations. */
  bodyBytes?: number;
  /** Whether its body has \`dry_run\`, which is true unless it is sent as false. */
  hasDryRun: boolean;
  /** Whether the handler, not the contract, checks filters and unknown query parameters. */
  hasFilters: boolean;
  parameters: readonly OperationParameter[];
  /** A handler's answers by status. */
  answers: Readonly<Record<number, DeclaredAnswer>>;
  /** The statuses of problems the operation declares. */
  errors: readonly number[];
}

export interface DeclaredAnswer {
  media: string | null;
  /** The headers that the handler must return. */
  headers: readonly string[];
  /** The headers that it may return. */
  optionalHeaders: readonly string[];
}

export interface OperationParameter {
  name: string;
  /** The member of a handler's input: of a header its name in camel case. */
  member: string;
  in: "path" | "query" | "header";
  /** Of the value, or of each one of a list. */
  kind: "string" | "integer" | "boolean" | "date" | "date-time";
  isList: boolean;
  isFilter: boolean;
  isRequired: boolean;
  default?: string | number | boolean;
}
`;
