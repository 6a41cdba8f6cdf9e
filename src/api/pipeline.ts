// The HTTP API. It turns requests into calls of the modules below, in the order that the contract promises, and turns
// their results and errors into HTTP answers. It owns no table. It promises that every answer fits openapi.yaml.
import type { Request, RequestHandler, Response } from "express";
import type { Caller } from "../accounts/keys/caller.ts";
import type { Operation, OperationParameter } from "../generated/operations.ts";
import type { EntryContext } from "../platform/context.ts";
import { clientAddressOf } from "../platform/http/client-address.ts";
import { InvalidRequestError } from "../platform/http/invalid-request.ts";
import { type PlainAnswer, sendAnswer } from "./answer.ts";
import { readJsonBody } from "./body.ts";
import type { RequestValidator, ValidatedRequest } from "./contract/contract.ts";
import { readParameters, withDefaults } from "./contract/input.ts";
import { faultOf } from "./contract/validation-problem.ts";
import { exchangeOf } from "./exchange.ts";
import { handleOnce, isDryRun } from "./idempotency.ts";
import { admittedCaller, callerOfFeeds } from "./known-key.ts";
import { answerError } from "./problem-answer.ts";
import { createRepeats } from "./repeats.ts";

/** A handler without its types; the generated types have checked it against its operation. */
export type PlainHandler = (input: never, context: EntryContext) => Promise<PlainAnswer>;

/** One operation and its handler. */
export interface Route {
  id: string;
  operation: Operation;
  validate: RequestValidator;
  handler: PlainHandler;
}

/** Handles requests of one operation: checks key, rate limit, plan and contract, then calls the handler. */
export function pipelineOf(context: EntryContext, route: Route): RequestHandler {
  const { id, operation } = route;
  const answerOf = id === "readRecords" ? feedReader(context, route) : plainAnswer;

  async function plainAnswer(request: Request, response: Response): Promise<PlainAnswer> {
    const sender = operation.isPublic
      ? { clientAddress: clientAddressOf(request, context.config.trustProxyHops) }
      : { caller: forMethod(request, await admittedCaller(context, request, response)) };
    return runOperation(context, route, sender, await readRequest(operation, request));
  }

  return async (request, response) => {
    exchangeOf(response).operation = id;
    try {
      await sendAnswer(request, response, operation, await answerOf(request, response));
    } catch (error) {
      answerError(context, response, error, operation);
    }
  };
}

/** Answers a request that reads a feed. The same request as before needs one statement, if nothing has changed. */
function feedReader(context: EntryContext, route: Route) {
  const repeats = createRepeats();
  return async (request: Request, response: Response): Promise<PlainAnswer> => {
    const repeat = repeats.find(request);
    const admitted = await callerOfFeeds(context, request, response, repeat?.knownRows ?? null);
    if (repeat !== null && admitted.isCharged) return repeat.answerTo(admitted.caller);
    const caller = forMethod(request, { ...admitted.caller, snapshot: admitted.snapshot });
    const asked = await readRequest(route.operation, request);
    const answer = await runOperation(context, route, { caller }, asked);
    repeats.keep(request, answer);
    return answer;
  };
}

const forMethod = (request: Request, caller: Caller): Caller =>
  request.method === "HEAD" ? { ...caller, isHead: true } : caller;

async function readRequest(operation: Operation, request: Request): Promise<OperationRequest> {
  return {
    pathValues: request.params as Record<string, string>,
    search: request.originalUrl.split("?").slice(1).join("?"),
    body: operation.hasBody ? await readJsonBody(request) : undefined,
    headers: headersOf(operation, request),
  };
}

/** The headers of a request that are parameters of the operation. HEAD has no ranges. */
function headersOf({ parameters }: Operation, request: Request): Record<string, string> {
  const isRead = ({ name }: OperationParameter) =>
    request.method !== "HEAD" || (name !== "Range" && name !== "If-Range");
  return Object.fromEntries(
    parameters
      .filter((parameter) => parameter.in === "header" && isRead(parameter))
      .flatMap(({ name, member }) => {
        const value = request.get(name);
        return value === undefined ? [] : [[member, value]];
      }),
  );
}

/** Who sends a request: the caller of a key, or an address where the operation takes no key. */
type Sender = { caller: Caller } | { clientAddress: string };

/** What a request asks of an operation, its parameters as text. */
export interface OperationRequest {
  pathValues: Readonly<Record<string, string>>;
  /** The part of the address after the question mark. */
  search: string;
  body?: unknown;
  /** By the member of the handler's input. */
  headers?: Readonly<Record<string, string>>;
}

/** Checks a request against the contract and calls the handler. InvalidRequestError when the request does not fit. */
export async function runOperation(
  context: EntryContext,
  { id, operation, validate, handler }: Route,
  sender: Sender,
  { pathValues, search, body, headers = {} }: OperationRequest,
): Promise<PlainAnswer> {
  const { path, query, filters, faults } = readParameters(operation, pathValues, search);
  const { idempotencyKey: key, ...conditions } = headers;
  const validated: ValidatedRequest = {
    path,
    query,
    ...(key !== undefined && { header: { "idempotency-key": key } }),
    ...(operation.hasBody ? { requestBody: body } : {}),
  };
  const refused = validate(validated).map((error) => faultOf(error, validated));
  if (faults.length + refused.length > 0) throw new InvalidRequestError([...faults, ...refused]);
  const input = {
    ...sender,
    path,
    query: withDefaults(operation, query),
    filters,
    headers: conditions,
    ...(operation.hasBody ? { body } : {}),
  };
  const handle = (within: EntryContext) => handler(input as never, within);
  if (key === undefined || !("caller" in sender) || isDryRun(operation, body)) return handle(context);
  const request = { accountId: sender.caller.accountId, key, content: [id, path, query, body] };
  return handleOnce(context, request, handle);
}
