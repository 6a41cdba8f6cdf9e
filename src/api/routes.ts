import type { Application, Request, RequestHandler, Response } from "express";
import { type Operation, type OperationId, operationTable } from "../generated/operations.ts";
import type { EntryContext } from "../platform/context.ts";
import { ProblemError } from "../platform/http/problem.ts";
import { openToEverySite } from "./connection/cross-origin.ts";
import type { Contract } from "./contract/contract.ts";
import { exchangeOf } from "./exchange.ts";
import { refuseRequest } from "./known-key.ts";
import { type PlainHandler, pipelineOf, type Route } from "./pipeline.ts";

/** Every operation that has a handler. */
export function routesOf(contract: Contract, handlers: Readonly<Record<string, PlainHandler>>): Route[] {
  return Object.entries(operationTable as Record<OperationId, Operation>).flatMap(([id, operation]) => {
    const handler = handlers[id];
    return handler ? [{ id, operation, validate: contract.validatorOf(id as OperationId), handler }] : [];
  });
}

/** Routes operations. */
export function routeOperations(app: Application, context: EntryContext, routes: readonly Route[]): void {
  for (const [path, group] of Map.groupBy(routes, ({ operation }) => operation.path)) {
    const byMethod = group.map((route): [string, RequestHandler] => [
      route.operation.method,
      pipelineOf(context, route),
    ]);
    // An operation without a key is safe to call from any site: a visitor's browser adds nothing to the request.
    const isOpen = group.every(({ operation }) => operation.isPublic);
    routePath(app, context, path.replace(/\{(\w+)\}/g, ":$1"), new Map(byMethod), isOpen);
  }
}

/**
 * Routes one path by method. HEAD is answered like GET. Any other method is 405, and Allow lists the methods of the path.
 * Pages of every site may call an open path. The path with a slash at its end is 404 and names the right path.
 */
function routePath(
  app: Application,
  context: EntryContext,
  path: string,
  byMethod: ReadonlyMap<string, RequestHandler>,
  isOpen = false,
): void {
  const methods = [...byMethod.keys()].flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  if (isOpen) app.all(path, openToEverySite(methods));
  const allowed = [...methods, ...(isOpen ? ["OPTIONS"] : [])].join(", ");
  app.all(path, (request, response, next) => {
    const handle = byMethod.get(request.method === "HEAD" ? "GET" : request.method);
    if (handle) return handle(request, response, next);
    const problem = new ProblemError(
      "method_not_allowed",
      `Send one of these methods to this path: ${allowed}.`,
    );
    return refuseRequest(context, request, response, problem, { Allow: allowed });
  });
  if (path !== "/") app.all(`${path}/`, (request, response) => refuseSlash(context, request, response));
}

function refuseSlash(context: EntryContext, request: Request, response: Response): Promise<void> {
  const right = request.path.slice(0, -1);
  const detail = `There is nothing at ${request.path}. Leave out the slash at the end: ${right}.`;
  return refuseRequest(context, request, response, new ProblemError("not_found", detail));
}

/**
 * Routes a page or a health check, which are no operations of the contract. Log and metrics call it `name`. Pages of
 * every site may read an open one.
 */
export function routePage(
  app: Application,
  context: EntryContext,
  path: string,
  name: string,
  handle: RequestHandler,
  { isOpen = false } = {},
): void {
  routePath(app, context, path, new Map([["GET", named(name, handle)]]), isOpen);
}

/** Routes a path that takes POST alone and is no operation of the contract. Log and metrics call it `name`. */
export function routePost(
  app: Application,
  context: EntryContext,
  path: string,
  name: string,
  handle: RequestHandler,
): void {
  routePath(app, context, path, new Map([["POST", named(name, handle)]]));
}

/** Routes a page with a form that is sent to the same path. */
export function routeForm(
  app: Application,
  context: EntryContext,
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
