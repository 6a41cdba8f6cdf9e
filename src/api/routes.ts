import type { Application, RequestHandler } from "express";
import { type Operation, type OperationId, operationTable } from "../generated/operations.ts";
import type { Context } from "../platform/context.ts";
import { ProblemError } from "../platform/problem.ts";
import type { Contract } from "./contract.ts";
import { exchangeOf } from "./exchange.ts";
import { type PlainHandler, pipelineOf } from "./pipeline.ts";
import { answerError } from "./problem-answer.ts";

/** Routes every operation that has a handler. */
export function routeOperations(
  app: Application,
  context: Context,
  contract: Contract,
  handlers: Readonly<Record<string, PlainHandler>>,
): void {
  const operations: [OperationId, Operation][] = Object.entries(operationTable).map(([id, operation]) => [
    id as OperationId,
    operation,
  ]);
  const served = operations.filter(([id]) => handlers[id] !== undefined);
  for (const [path, group] of Map.groupBy(served, ([, operation]) => operation.path)) {
    const byMethod = group.map(([id, operation]): [string, RequestHandler] => {
      const handler = handlers[id] as PlainHandler;
      return [
        operation.method,
        pipelineOf(context, { id, operation, validate: contract.validatorOf(id), handler }),
      ];
    });
    routePath(app, context, path.replace(/\{(\w+)\}/g, ":$1"), new Map(byMethod));
  }
}

/** Routes one path by method. HEAD is answered like GET; every other method is 405 with what the path has. */
function routePath(
  app: Application,
  context: Context,
  path: string,
  byMethod: ReadonlyMap<string, RequestHandler>,
): void {
  const allowed = [...byMethod.keys()]
    .flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))
    .join(", ");
  app.all(path, (request, response, next) => {
    const handle = byMethod.get(request.method === "HEAD" ? "GET" : request.method);
    if (handle) return handle(request, response, next);
    response.setHeader("Allow", allowed);
    answerError(context, response, new ProblemError("method_not_allowed", `This path takes ${allowed}.`));
  });
}

/** A page or probe beside the contract's operations; `name` stands in log and metrics. */
export function routePage(
  app: Application,
  context: Context,
  path: string,
  name: string,
  handle: RequestHandler,
): void {
  routePath(app, context, path, new Map([["GET", named(name, handle)]]));
}

/** A page with a form that is sent to the same path. */
export function routeForm(
  app: Application,
  context: Context,
  path: string,
  name: string,
  { show, submit }: { show: RequestHandler; submit: RequestHandler },
): void {
  const byMethod = new Map([
    ["GET", named(name, show)],
    ["POST", named(name, submit)],
  ]);
  routePath(app, context, path, byMethod);
}

const named =
  (name: string, handle: RequestHandler): RequestHandler =>
  (request, response, next) => {
    exchangeOf(response).operation = name;
    return handle(request, response, next);
  };
