// The HTTP API. It turns requests into calls of the modules below, in the order that the contract promises, and turns
// their results and errors into HTTP answers. It owns no table. It promises that every answer fits openapi.yaml.
import type { Request, RequestHandler } from "express";
import type { Caller } from "../accounts/keys/caller.ts";
import type { Operation } from "../generated/operations.ts";
import type { EntryContext } from "../platform/context.ts";
import { clientAddressOf } from "../platform/http/client-address.ts";
import { InvalidRequestError } from "../platform/http/invalid-request.ts";
import { type PlainAnswer, sendAnswer } from "./answer.ts";
import { readJsonBody } from "./body.ts";
import type { JudgedRequest, RequestValidator } from "./contract/contract.ts";
import { readParameters, withDefaults } from "./contract/input.ts";
import { faultOf } from "./contract/validation-problem.ts";
import { exchangeOf } from "./exchange.ts";
import { admittedCaller } from "./known-key.ts";
import { answerError } from "./problem-answer.ts";

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
  return async (request, response) => {
    exchangeOf(response).operation = id;
    try {
      const sender = operation.isPublic
        ? { clientAddress: clientAddressOf(request, context.config.trustProxyHops) }
        : { caller: forMethod(request, await admittedCaller(context, request, response)) };
      const asked = await readRequest(operation, request);
      await sendAnswer(request, response, operation, await runOperation(context, route, sender, asked));
    } catch (error) {
      answerError(context, response, error, operation);
    }
  };
}

const forMethod = (request: Request, caller: Caller): Caller =>
  request.method === "HEAD" ? { ...caller, isHead: true } : caller;

async function readRequest(operation: Operation, request: Request): Promise<OperationRequest> {
  return {
    pathValues: request.params as Record<string, string>,
    search: request.originalUrl.split("?").slice(1).join("?"),
    body: operation.hasBody ? await readJsonBody(request) : undefined,
    ifNoneMatch: operation.isConditional ? request.get("if-none-match") : undefined,
  };
}

/** Who sends a request: the caller of a key, or an address where the operation takes no key. */
type Sender = { caller: Caller } | { clientAddress: string };

/** What a request asks of an operation, its parameters as text. */
export interface OperationRequest {
  pathValues: Readonly<Record<string, string>>;
  /** The part of the address after the question mark. */
  search: string;
  body?: unknown;
  ifNoneMatch?: string | undefined;
}

/** Checks a request against the contract and calls the handler. InvalidRequestError when the request does not fit. */
export async function runOperation(
  context: EntryContext,
  { operation, validate, handler }: Route,
  sender: Sender,
  { pathValues, search, body, ifNoneMatch }: OperationRequest,
): Promise<PlainAnswer> {
  const { path, query, filters, faults } = readParameters(operation, pathValues, search);
  const judged: JudgedRequest = { path, query, ...(operation.hasBody ? { requestBody: body } : {}) };
  const refused = validate(judged).map((error) => faultOf(error, judged));
  if (faults.length + refused.length > 0) throw new InvalidRequestError([...faults, ...refused]);
  const input = {
    ...sender,
    path,
    query: withDefaults(operation, query),
    filters,
    headers: ifNoneMatch === undefined ? {} : { ifNoneMatch },
    ...(operation.hasBody ? { body } : {}),
  };
  return handler(input as never, context);
}
