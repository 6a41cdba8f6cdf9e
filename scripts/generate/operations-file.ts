import { adapterTypes } from "./adapter-types.ts";
import type { Contract, Operation, Parameter, Response } from "./contract.ts";

/** Headers that src/api sets on every answer; handlers return only the others. */
const COMMON_HEADERS = /^(X-RateLimit-.*|X-Quota-.*|X-Request-Id|Access-Control-.*)$/;

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
  hasBody: operation.hasBody,
  hasFilters: operation.parameters.some((parameter) => parameter["x-filter"]),
  isConditional: operation.responses.some(([status]) => status === 304),
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
    in: parameter.in,
    kind: kindOf(items ?? parameter.schema),
    isList: items !== undefined,
    isFilter: parameter["x-filter"] === true,
    isRequired: parameter.required === true,
    ...(defaultValue === undefined ? {} : { default: defaultValue }),
  };
}

function kindOf(schema: Parameter["schema"]): string {
  if (schema.type === "integer" || schema.type === "boolean") return schema.type;
  if (schema.type !== undefined && schema.type !== "string")
    throw new Error(`No parameter can be a ${schema.type}`);
  return schema.format === "date" || schema.format === "date-time" ? schema.format : "string";
}

const answerEntry = (response: Response) => ({
  media: Object.keys(response.content ?? {})[0] ?? null,
  headers: Object.keys(response.headers ?? {}).filter((name) => !COMMON_HEADERS.test(name)),
});

const HEAD = `// Written by \`npm run generate\` from openapi.yaml: the operations and their typed route adapters.
import type { Readable } from "node:stream";
import type { Caller } from "../accounts/keys/caller.ts";
import type { EntryContext } from "../platform/context.ts";
import type { JsonText } from "../platform/json-text.ts";
import type { operations } from "./types.ts";

/** An operation of the contract, for the router. */
export interface Operation {
  method: string;
  path: string;
  /** Takes no key. */
  isPublic: boolean;
  /** Whether it has a handler; the others are planned. */
  isLive: boolean;
  hasBody: boolean;
  /** Whether the handler, not the contract, checks filters and unknown query parameters. */
  hasFilters: boolean;
  /** Answers 304 to If-None-Match. */
  isConditional: boolean;
  parameters: readonly OperationParameter[];
  /** A handler's answers by status, with the headers that it must return. */
  answers: Readonly<Record<number, { media: string | null; headers: readonly string[] }>>;
  /** The statuses of problems the operation declares. */
  errors: readonly number[];
}

export interface OperationParameter {
  name: string;
  in: "path" | "query" | "header";
  /** Of the value, or of each one of a list. */
  kind: "string" | "integer" | "boolean" | "date" | "date-time";
  isList: boolean;
  isFilter: boolean;
  isRequired: boolean;
  default?: string | number | boolean;
}
`;
