import type { RequestHandler } from "express";
import { exchangeOf } from "../exchange.ts";

/** How long a browser may cache the answer to its preflight. No browser caches it for longer. */
const PREFLIGHT_SECONDS = 7_200;

/**
 * Lets pages of every site call a path with these methods and read the answer (CORS). Credentials are not allowed, so a
 * page learns nothing that is not public.
 */
export function openToEverySite(methods: readonly string[]): RequestHandler {
  return (request, response, next) => {
    response.setHeader("Access-Control-Allow-Origin", "*");
    if (request.method !== "OPTIONS") {
      response.setHeader("Access-Control-Expose-Headers", "Retry-After, X-Request-Id");
      return next();
    }
    exchangeOf(response).operation = "preflight";
    response.setHeader("Access-Control-Allow-Methods", methods.join(", "));
    response.setHeader("Access-Control-Allow-Headers", "Content-Type, X-Request-Id");
    response.setHeader("Access-Control-Max-Age", PREFLIGHT_SECONDS);
    response.setHeader("Allow", [...methods, "OPTIONS"].join(", "));
    response.status(204).end();
  };
}
