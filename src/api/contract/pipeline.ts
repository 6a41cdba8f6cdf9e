// The way of a request through openapi-backend: route, key with rate limit and plan, body, validation, handler, answer.
import type { Context as Passage } from "openapi-backend";
import { answerOnce, type KeyedRequest } from "../../accounts/idempotency/answer-once.ts";
import type { Caller } from "../../accounts/keys/caller.ts";
import { requireScope } from "../../accounts/keys/grant.ts";
import type { AnsweredPage } from "../../feeds/records/records.ts";
import type { Handlers, Operation, OperationId } from "../../generated/operations.ts";
import { type EntryContext, entryContextOf } from "../../platform/context.ts";
import { InvalidRequestError } from "../../platform/http/invalid-request.ts";
import type { ProblemError } from "../../platform/http/problem.ts";
import { isJsonText, jsonText } from "../../platform/json-text.ts";
import { headersOf, withDefaults } from "./input.ts";
import { faultOf, methodNotAllowed, needlessSlash, notFound, type PathMethods } from "./problems.ts";
import { type AskedRequest, entryOf, idOf, openBackend, type PathAt, type ReadRequest } from "./routing.ts";

/** Where a request comes from and where its answer goes: an HTTP connection, or the call of a tool. */
export interface Call {
  /** The context that answers it: the live one, or that of test mode. */
  context: EntryContext;
  /** The caller of its key. A ProblemError when the key may not be used now. */
  admit(id: OperationId): Promise<Caller>;
  /** Answers a request that no operation matches. */
  refuse(problem: ProblemError): Promise<void>;
  answer(operation: Operation, answer: PlainAnswer): Promise<unknown>;
  /** Called when its operation is known. */
  matched?(id: OperationId): void;
  /** Its client. No tool runs an operation that takes no key. */
  clientAddress?(): string;
  /** `mostBytes`: if the body may be larger than most. */
  readBody?(mostBytes?: number): Promise<unknown>;
  /** InvalidRequestError when it has a body. */
  refuseBody?(): Promise<void>;
}

export interface Pipeline {
  /** Takes a request to its handler, and returns what `answer` returns. Errors are thrown. */
  handle(request: AskedRequest, call: Call): Promise<unknown>;
  pathAt: PathAt;
}

/** A handler's answer without its types. */
export interface PlainAnswer {
  status: number;
  headers?: Readonly<Record<string, string | undefined>>;
  body: unknown;
  /** A page that the same request can be answered with again. */
  page?: AnsweredPage | null;
}

/** A handler without its types; the generated types have checked it against its operation. */
type PlainHandler = (input: never, context: EntryContext) => Promise<PlainAnswer>;

export async function openPipeline(handlers: Handlers): Promise<Pipeline> {
  const { backend, pathAt } = await openBackend();
  backend.registerSecurityHandler("apiKey", async ({ operation }, call: Call) => {
    const caller = await call.admit(idOf(operation));
    requireScope(caller, entryOf(operation).scope);
    return caller;
  });
  backend.register({
    notFound: ({ request: { path } }, call: Call) =>
      call.refuse(pathAt(path.replace(/\/$/, "")) ? needlessSlash(path) : notFound()),
    methodNotAllowed: ({ request: { path } }, call: Call) =>
      call.refuse(methodNotAllowed(pathAt(path) as PathMethods)),
    postRoutingHandler: ({ operation }: Partial<Passage>, call: Call) =>
      operation && call.matched?.(idOf(operation)),
    // The body of a refused request is not read.
    postSecurityHandler: async ({ operation, request, security }, call: Call) => {
      const { hasBody, bodyBytes, isPublic, method }: Operation = entryOf(operation);
      if (!isPublic && !security.authorized) return;
      if (hasBody) request.requestBody = await call.readBody?.(bodyBytes);
      // HTTP gives the body of a GET or DELETE no meaning, so there it is ignored.
      else if (method === "POST") await call.refuseBody?.();
    },
    unauthorizedHandler: ({ security }) => {
      throw security.apiKey.error;
    },
    validationFail: refuseMisfit,
    preOperationHandler: refuseMisfit,
    postResponseHandler: ({ operation, response }: Partial<Passage>, call: Call) =>
      operation && call.answer(entryOf(operation), response),
  });
  for (const [id, handler] of Object.entries(handlers as unknown as Record<OperationId, PlainHandler>)) {
    backend.register(id, (passage: Passage, call: Call) => handle(handler, passage, call));
  }
  return { handle: (request, call) => backend.handleRequest(request as never, call), pathAt };
}

const readRequest = ({ request }: Passage) => request as unknown as ReadRequest;

/** InvalidRequestError when a parameter cannot be read, or when the schemas refuse it or the body. */
function refuseMisfit(passage: Passage): void {
  const { params: path, query, requestBody, faults } = readRequest(passage);
  const refused = passage.validation.errors ?? [];
  if (faults.length + refused.length === 0) return;
  throw new InvalidRequestError([
    ...faults,
    ...refused.map((error) => faultOf(error, { path, query, requestBody })),
  ]);
}

/** Calls a handler, once for all requests with the same idempotency key. */
async function handle(handler: PlainHandler, passage: Passage, call: Call): Promise<PlainAnswer> {
  const { context } = call;
  const operation = entryOf(passage.operation);
  const request = readRequest(passage);
  const { params: path, query, filters, requestBody: body } = request;
  const { idempotencyKey: key, ...headers } = headersOf(operation, request);
  const caller = passage.security.apiKey as Caller | undefined;
  const input = {
    ...(caller ? { caller } : { clientAddress: call.clientAddress?.() }),
    path,
    query: withDefaults(operation, query),
    filters,
    headers,
    ...(operation.hasBody ? { body } : {}),
  };
  const work = (within: EntryContext) => handler(input as never, within);
  if (key === undefined || !caller || isDryRun(operation, body)) return work(context);
  const content = [idOf(passage.operation), path, query, body, ...ownOf(operation, caller)];
  return handleOnce(context, { accountId: caller.accountId, key, content }, work);
}

/** An answer with a key is for the key that asked for it, and no other key of the account. */
const ownOf = ({ scope }: Operation, { keyId }: Caller): string[] => (scope === "keys:write" ? [keyId] : []);

/** Whether a request changes nothing, so that it may be repeated without its key. */
const isDryRun = ({ hasDryRun }: Operation, body: unknown): boolean =>
  hasDryRun && (body as { dry_run?: boolean }).dry_run !== false;

/** Calls a handler in the transaction that keeps its answer, or gives the answer that was kept for the key. */
async function handleOnce(
  context: EntryContext,
  request: KeyedRequest,
  work: (context: EntryContext) => Promise<PlainAnswer>,
): Promise<PlainAnswer> {
  const { status, headers, json, isRepeat } = await answerOnce(context, request, async (within) => {
    const { body, ...answer } = await work(entryContextOf(within));
    return { ...answer, json: isJsonText(body) ? String(body.json) : JSON.stringify(body) };
  });
  const body = jsonText(Buffer.from(json));
  return { status, headers: { ...headers, ...(isRepeat && { "Idempotent-Replayed": "true" }) }, body };
}
