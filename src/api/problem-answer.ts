import type { Response } from "express";
import type { Operation } from "../generated/operations.ts";
import type { EntryContext } from "../platform/context.ts";
import { DatabaseUnavailableError, toDatabaseError } from "../platform/database/database-error.ts";
import { InvalidRequestError } from "../platform/http/invalid-request.ts";
import { ProblemError, problemBody } from "../platform/http/problem.ts";
import { validationProblem } from "./contract/validation-problem.ts";
import { exchangeOf } from "./exchange.ts";

/** How soon to try again when whoever refused did not say. */
const RETRY_AFTER_SECONDS = 5;
/** What the contract's Problem allows. */
const LONGEST_DETAIL = 2_000;
/** How to authenticate (RFC 9110, 11.6.1); the scheme is none that makes a browser ask its user for a password. */
const CHALLENGE = 'ApiKey realm="Trucking Data Feed API", header="X-API-Key"';

/**
 * Answers an error: what the contract knows in its words, everything else as a bare 500, logged once. Gives nothing of
 * the second kind away. `operation` is absent where no operation was found.
 */
export function answerError(
  context: EntryContext,
  response: Response,
  thrown: unknown,
  operation?: Operation,
): void {
  const error = toDatabaseError(thrown);
  if (response.headersSent || response.destroyed) {
    breakOff(context, response, error);
    return;
  }
  if (error instanceof InvalidRequestError) {
    sendJson(response, 422, "application/json", validationProblem(error.faults));
    return;
  }
  sendProblem(response, problemOf(context, response, error, operation));
}

/** What went wrong, for a page that tells it in its own frame; what was not foreseen is logged. */
export const problemFor = (context: EntryContext, response: Response, thrown: unknown): ProblemError =>
  problemOf(context, response, toDatabaseError(thrown));

/** Says when to try again where that helps; gives the problem's status. */
export function setRetryAfter(response: Response, problem: ProblemError): number {
  const { status } = problemBody(problem.code, "");
  if (status === 429 || status === 503) {
    response.setHeader("Retry-After", String(problem.retryAfterSeconds ?? RETRY_AFTER_SECONDS));
  }
  return status;
}

function sendProblem(response: Response, problem: ProblemError): void {
  const body = problemBody(problem.code, problem.message.slice(0, LONGEST_DETAIL));
  setRetryAfter(response, problem);
  if (body.status === 401) response.setHeader("WWW-Authenticate", CHALLENGE);
  sendJson(response, body.status, "application/problem+json", body);
}

function sendJson(response: Response, status: number, type: string, body: object): void {
  const text = Buffer.from(JSON.stringify(body));
  response.status(status).setHeader("Content-Type", type);
  response.setHeader("Content-Length", text.length);
  response.end(text);
}

function problemOf(
  context: EntryContext,
  response: Response,
  error: unknown,
  operation?: Operation,
): ProblemError {
  if (error instanceof ProblemError && isDeclared(error, operation)) return error;
  const { requestId, operation: name } = exchangeOf(response);
  if (error instanceof DatabaseUnavailableError) {
    const level = error.isDiskFull ? "error" : "warn";
    const said = error.isDiskFull
      ? "The database's disk is full."
      : "A request could not reach the database.";
    context.log[level]({ requestId, operation: name, err: error }, said);
    return new ProblemError("unavailable", "The service cannot answer at the moment. Try again shortly.");
  }
  context.log.error(
    { requestId, operation: name, err: error },
    "A request failed in a way that should not happen.",
  );
  return new ProblemError(
    "internal_error",
    `The service failed. If it stays so, report the request id ${requestId}.`,
  );
}

// What an operation does not declare, its clients do not expect: such a problem is a bug of ours.
function isDeclared(problem: ProblemError, operation: Operation | undefined): boolean {
  return operation === undefined || operation.errors.includes(problemBody(problem.code, "").status);
}

/** What tells that a client has gone: amid its answer, before it, or amid its request. */
const CLIENT_LEFT = ["ERR_STREAM_PREMATURE_CLOSE", "ERR_STREAM_UNABLE_TO_PIPE", "ECONNRESET"];

// The answer has begun, or nobody is left to read it: a broken connection says that the rest will not come.
function breakOff(context: EntryContext, response: Response, error: unknown): void {
  const { requestId, operation } = exchangeOf(response);
  const isOurs = !(error instanceof ProblemError || error instanceof InvalidRequestError);
  const hasClientLeft = CLIENT_LEFT.includes((error as NodeJS.ErrnoException).code ?? "");
  const level = isOurs && !hasClientLeft ? "warn" : "debug";
  context.log[level]({ requestId, operation, err: error }, "An answer broke off.");
  response.destroy();
}
