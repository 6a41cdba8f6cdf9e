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
import type { RequestValidator, ValidatedRequest } from "./contract/contract.ts";
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
  const { id, operation, handler } = route;
  return async (request, response) => {
    exchangeOf(response).operation = id;
    try {
      const sender = operation.isPublic
        ? { clientAddress: clientAddressOf(request, context.config.trustProxyHops) }
        : { caller: forMethod(request, await admittedCaller(context, request, response)) };
      const input = { ...sender, ...(await readInput(route, request)) };
      await sendAnswer(request, response, operation, await handler(input as never, context));
    } catch (error) {
      answerError(context, response, error, operation);
    }
  };
}

const forMethod = (request: Request, caller: Caller): Caller =>
  request.method === "HEAD" ? { ...caller, isHead: true } : caller;

async function readInput({ operation, validate }: Route, request: Request): Promise<object> {
  const body = operation.hasBody ? { requestBody: await readJsonBody(request) } : {};
  const search = request.originalUrl.split("?").slice(1).join("?");
  const { path, query, filters, faults } = readParameters(
    operation,
    request.params as Record<string, string>,
    search,
  );
  const validated: ValidatedRequest = { path, query, ...body };
  const refused = validate(validated).map((error) => faultOf(error, validated));
  if (faults.length + refused.length > 0) throw new InvalidRequestError([...faults, ...refused]);
  const ifNoneMatch = operation.isConditional ? request.get("if-none-match") : undefined;
  return {
    path,
    query: withDefaults(operation, query),
    filters,
    headers: ifNoneMatch === undefined ? {} : { ifNoneMatch },
    ...(operation.hasBody ? { body: validated.requestBody } : {}),
  };
}
