import type { IRouter, Request, RequestHandler, Response } from "express";
import type { EntryContext } from "../platform/context.ts";
import { allowOf, methodNotAllowed, needlessSlash, type PathMethods } from "./contract/problems.ts";
import { exchangeOf } from "./exchange.ts";
import { refuseOutside } from "./test-mode.ts";

/** Where a request has its key. */
type KeyOf = (request: Request) => string | undefined;

const keyInHeader: KeyOf = (request) => request.get("x-api-key");

/**
 * Routes a path that is no operation of the contract by method. HEAD is answered like GET. Any other method is 405, and
 * Allow lists the methods of the path. The path with a slash at its end is 404 and names the right path.
 */
function routePath(
  app: IRouter,
  context: EntryContext,
  path: string,
  byMethod: ReadonlyMap<string, RequestHandler>,
  { isOpen = false, keyOf = keyInHeader } = {},
): void {
  const methods = [...byMethod.keys()].flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  const taken = { methods, isOpen };
  app.all(path, (request, response, next) => {
    if (openToEverySite(request, response, taken)) return;
    const handle = byMethod.get(request.method === "HEAD" ? "GET" : request.method);
    if (handle) return handle(request, response, next);
    return refuseOutside(context, request, response, methodNotAllowed(taken), keyOf(request));
  });
  if (path === "/") return;
  app.all(`${path}/`, (request, response) =>
    refuseOutside(context, request, response, needlessSlash(request.path), keyOf(request)),
  );
}

/**
 * Routes a page or a health check, which are no operations of the contract. Log and metrics call it `name`. Pages of
 * every site may read an open one.
 */
export function routePage(
  app: IRouter,
  context: EntryContext,
  path: string,
  name: string,
  handle: RequestHandler,
  { isOpen = false } = {},
): void {
  routePath(app, context, path, new Map([["GET", named(name, handle)]]), { isOpen });
}

/** Routes a path that takes POST alone and is no operation of the contract. Log and metrics call it `name`. */
export function routePost(
  app: IRouter,
  context: EntryContext,
  path: string,
  name: string,
  handle: RequestHandler,
  keyOf?: KeyOf,
): void {
  routePath(app, context, path, new Map([["POST", named(name, handle)]]), { keyOf });
}

/** Routes a page with a form that is sent to the same path. */
export function routeForm(
  app: IRouter,
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

/** How long a browser may cache the answer to its preflight. No browser caches it for longer. */
const PREFLIGHT_SECONDS = 7_200;

/**
 * Lets pages of every site call an open path and read the answer (CORS). Credentials are not allowed, so a page learns
 * nothing that is not public. Returns whether the request was a preflight, which is answered here.
 */
export function openToEverySite(request: Request, response: Response, path: PathMethods): boolean {
  if (!path.isOpen) return false;
  response.setHeader("Access-Control-Allow-Origin", "*");
  if (request.method !== "OPTIONS") {
    response.setHeader("Access-Control-Expose-Headers", "Retry-After, X-Request-Id");
    return false;
  }
  exchangeOf(response).operation = "preflight";
  response.setHeader("Access-Control-Allow-Methods", path.methods.join(", "));
  response.setHeader("Access-Control-Allow-Headers", "Content-Type, X-Request-Id");
  response.setHeader("Access-Control-Max-Age", PREFLIGHT_SECONDS);
  response.setHeader("Allow", allowOf(path));
  response.status(204).end();
  return true;
}
