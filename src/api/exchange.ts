import { randomUUID } from "node:crypto";
import type { RequestHandler, Response } from "express";
import type { EntryContext } from "../platform/context.ts";
import { trackAnswer } from "./connection/stop.ts";

/** What is known of a request while it is answered, for its log line and its metric. */
export interface Exchange {
  requestId: string;
  /** An operationId, or the name of what else is served. */
  operation: string;
  keyId: string | null;
}

/** The exchange that `openExchange` began for this response. */
export const exchangeOf = (response: Response): Exchange => response.locals as Exchange;

/** The first thing every request goes through: gives it an id, and the answer its security headers and a log line. */
export function openExchange(context: EntryContext): RequestHandler {
  const isHttps = context.config.publicUrl.startsWith("https:");
  return (request, response, next) => {
    const startedAt = performance.now();
    const requestId = requestIdOf(request.get("x-request-id"));
    const exchange: Exchange = { requestId, operation: "unknown", keyId: null };
    Object.assign(response.locals, exchange);
    response.setHeader("X-Request-Id", requestId);
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("Cache-Control", "no-store");
    if (isHttps) response.setHeader("Strict-Transport-Security", "max-age=31536000");
    trackAnswer(request.app, response);
    response.on("close", () => record(context, response, (performance.now() - startedAt) / 1000));
    next();
  };
}

const requestIdOf = (sent: string | undefined): string =>
  sent !== undefined && /^[A-Za-z0-9._-]{1,64}$/.test(sent) ? sent : randomUUID();

function record(context: EntryContext, response: Response, seconds: number): void {
  const { requestId, operation, keyId } = exchangeOf(response);
  const status = response.statusCode;
  context.metrics.requestSeconds.observe({ operation, status: String(status) }, seconds);
  const fields = { requestId, operation, status, durationMs: Math.round(seconds * 10_000) / 10, keyId };
  const isWhole = response.writableFinished;
  // Probes come every few seconds and say nothing unless they fail.
  const level = operation === "health" && status < 500 ? "debug" : "info";
  context.log[level]({ ...fields, isWhole }, `Answered ${operation} with ${status}.`);
}
