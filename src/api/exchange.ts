import { randomUUID } from "node:crypto";
import type { RequestHandler, Response } from "express";
import type { Caller, QuotaState } from "../accounts/keys/caller.ts";
import type { EntryContext } from "../platform/context.ts";
import { requestSpan, type Span } from "../platform/tracing/tracing.ts";

/** The rows of an account's month, after a request that cost so many of them. */
interface QuotaAnswer extends QuotaState {
  cost: number;
}

/** Facts about a request while it is answered, for its log line and its metric. */
export interface Exchange {
  requestId: string;
  /** An operationId, or a name for pages and probes. */
  operation: string;
  /** The owner of the request's key; null without a usable key. */
  caller: Caller | null;
  /** Whether it counts as a request of the account: its key and the rate limit let it pass. */
  isCounted: boolean;
  /** The rows of the account's month and what this request costs of them; null without a usable key. */
  quota: QuotaAnswer | null;
  /** The problem of a tool call that failed: its answer is 200, like that of every tool call. */
  toolProblem?: string;
  /** Null: nothing is traced. */
  span: Span | null;
}

/** The exchange that `openExchange` created for this response. */
export const exchangeOf = (response: Response): Exchange => response.locals as Exchange;

/** The first handler of every request. It sets the request id and the security headers, and logs the answer. */
export function openExchange(context: EntryContext): RequestHandler {
  const isHttps = context.config.publicUrl.startsWith("https:");
  return (request, response, next) => {
    const startedAt = performance.now();
    const requestId = requestIdOf(request.get("x-request-id"));
    const span = requestSpan(request.get("traceparent"));
    const exchange: Exchange = {
      requestId,
      operation: "unknown",
      caller: null,
      isCounted: false,
      quota: null,
      span,
    };
    Object.assign(response.locals, exchange);
    response.setHeader("X-Request-Id", requestId);
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("Cache-Control", "no-store");
    if (isHttps) response.setHeader("Strict-Transport-Security", "max-age=31536000");
    response.on("close", () => record(context, response, (performance.now() - startedAt) / 1000));
    if (span === null) next();
    else span.within(next);
  };
}

const requestIdOf = (sent: string | undefined): string =>
  sent !== undefined && /^[A-Za-z0-9._-]{1,64}$/.test(sent) ? sent : randomUUID();

function record(context: EntryContext, response: Response, seconds: number): void {
  const { requestId, operation, caller, toolProblem, span } = exchangeOf(response);
  const status = response.statusCode;
  const keyId = caller?.keyId ?? null;
  context.metrics.requestSeconds.observe({ operation, status: String(status) }, seconds);
  const durationMs = Math.round(seconds * 10_000) / 10;
  const fields = { requestId, operation, status, durationMs, keyId, toolProblem, traceId: span?.traceId };
  const isWhole = response.writableFinished;
  if (span !== null) {
    span.rename(operation);
    span.set({ "http.request.method": response.req.method, "http.response.status_code": status, isWhole });
    span.end(status < 500 ? "ok" : "failed");
  }
  // Health checks come every few seconds and matter only when they fail.
  const level = operation === "health" && status < 500 ? "debug" : "info";
  context.log[level]({ ...fields, isWhole }, `Answered ${operation} with ${status}.`);
}
