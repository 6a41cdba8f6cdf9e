import { readFile } from "node:fs/promises";
import type { IncomingHttpHeaders } from "node:http";
import {
  type Document,
  OpenAPIBackend,
  type OpenAPIRouter,
  type Operation as ParsedOperation,
  type Request,
} from "openapi-backend";
import { type Operation, type OperationId, operationTable } from "../../generated/operations.ts";
import { contractAjv } from "../../platform/http/contract-ajv.ts";
import { readParameters, type SentParameters } from "./input.ts";
import type { PathMethods } from "./problems.ts";

/** The contract, parsed by the generator: parsing the YAML would take a good part of a start. */
const CONTRACT_FILE = new URL("../../generated/openapi.json", import.meta.url);

/** openapi-backend with this contract and no handlers yet. It matches and reads requests by `routing.ts`. */
export async function openBackend(): Promise<{ backend: OpenAPIBackend; pathAt: PathAt }> {
  const definition = JSON.parse(await readFile(CONTRACT_FILE, "utf8")) as Document;
  const backend = new OpenAPIBackend({
    definition,
    // Otherwise the library validates OpenAPI 3.1 against the schema of 3.0, fails, and drops every route. Redocly
    // validates the document in `npm run check`.
    quick: true,
    // A handler of an unknown operation ends the start.
    strict: true,
    ajvOpts: { allErrors: true },
    customizeAjv: (_draft7, options) => contractAjv(options),
  });
  // The library's own way indexes every schema, for references to other files. The contract has none.
  backend.loadDocument = () => Promise.resolve(definition);
  await backend.init();
  return { backend, pathAt: replaceRouting(backend.router) };
}

/** A request on its way through openapi-backend. */
export interface AskedRequest {
  method: string;
  path: string;
  /** The part of the address after the question mark. */
  search: string;
  headers: IncomingHttpHeaders;
}

/** The same when its operation is known. */
export interface ReadRequest extends AskedRequest, SentParameters {
  /** Parsed; absent where the operation has none, and before the key is known. */
  requestBody?: unknown;
}

/** What a path of the contract takes; undefined for any other path. */
export type PathAt = (path: string) => PathMethods | undefined;

interface Matcher extends PathMethods {
  pattern: RegExp;
  /** Of the values in the path. */
  names: readonly string[];
  byMethod: ReadonlyMap<string, ParsedOperation>;
}

export const idOf = ({ operationId }: ParsedOperation): OperationId => operationId as OperationId;
export const entryOf = (operation: ParsedOperation): Operation => operationTable[idOf(operation)];

/**
 * Replaces how a router matches and reads requests. Its own way flattens the document and compiles every path anew for
 * each request, which takes fifteen times as long. It also ignores slashes at the end and reads queries less strictly.
 */
function replaceRouting(router: OpenAPIRouter): PathAt {
  const operations = router.getOperations().filter((operation) => entryOf(operation).isLive);
  const byId = new Map(operations.map((operation) => [idOf(operation), operation]));
  // A literal path comes before one with a value in its place.
  const matchers = [...Map.groupBy(operations, ({ path }) => path)]
    .map(([path, group]) => matcherOf(path, group))
    .sort((one, other) => one.names.length - other.names.length);
  const find = (path: string) => matchers.find(({ pattern }) => pattern.test(path));

  router.getOperations = () => operations;
  router.getOperation = (id) => byId.get(id as OperationId);
  router.matchOperation = (({ method, path }: Request) => {
    const matcher = find(path);
    const operation = matcher?.byMethod.get(method === "HEAD" ? "GET" : method);
    // openapi-backend tells 404 from 405 by the text.
    if (!operation) throw new Error(matcher ? "405" : "404");
    return operation;
  }) as typeof router.matchOperation;
  // Called before and after the match, and for the validation.
  router.parseRequest = ((request: AskedRequest & Partial<SentParameters>, operation?: ParsedOperation) => {
    if (operation && !request.params)
      Object.assign(request, sentTo(operation, request, find(request.path) as Matcher));
    return request;
  }) as unknown as typeof router.parseRequest;
  return find;
}

function matcherOf(path: string, operations: readonly ParsedOperation[]): Matcher {
  const byMethod = new Map(operations.map((operation) => [operation.method.toUpperCase(), operation]));
  const isOpen = operations.every((operation) => entryOf(operation).isPublic);
  return {
    pattern: new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "([^/]+)")}$`),
    names: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? ""),
    byMethod,
    methods: [...byMethod.keys()].flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])),
    isOpen,
  };
}

/** URIError when a value of the path cannot be decoded. */
function sentTo(operation: ParsedOperation, { path, search }: AskedRequest, { pattern, names }: Matcher) {
  const values = pattern.exec(path)?.slice(1) ?? [];
  const pathValues = names.map((name, index) => [name, decodeURIComponent(values[index] ?? "")]);
  return readParameters(entryOf(operation), Object.fromEntries(pathValues), search);
}
