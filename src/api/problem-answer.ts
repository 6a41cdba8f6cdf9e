import path from "node:path";
import type { Response } from "express";
import { countError } from "../accounts/usage/usage-counter.ts";
import type { Operation } from "../generated/operations.ts";
import type { EntryContext } from "../platform/context.ts";
import { DatabaseUnavailableError, toDatabaseError } from "../platform/database/database-error.ts";
import { InvalidRequestError } from "../platform/http/invalid-request.ts";
import { ProblemError, problemBody, statusOf } from "../platform/http/problem.ts";
import { isDiskFull } from "../platform/operator-error.ts";
import { validationProblem } from "./contract/problems.ts";
import { exchangeOf } from "./exchange.ts";

/** Retry-After when the error does not name a time. */
const RETRY_AFTER_SECONDS = 5;
/** The limit of the contract's Problem. */
const LONGEST_DETAIL = 2_000;
/** How to authenticate (RFC 9110, 11.6.1). With this scheme, browsers do not ask for a password. */
const CHALLENGE = 'ApiKey realm="Trucking Data Feed API", header="X-API-Key"';

/**
 * Answers an error. An error of the contract is answered in the contract's words. Any other error is logged once and
 * answered as a 500 that reveals nothing about it. A known key's error counts in its account's usage. `operation` is absent
 * when no operation matched.
 */
export function answerError(
  context: EntryContext,
  response: Response,
  thrown: unknown,
  operation?: Operation,
): void {
  const error = errorOf(response, thrown);
  if (response.headersSent || response.destroyed) {
    breakOff(context, response, error);
    return;
  }
  countErrorOf(context, response);
  if (error instanceof InvalidRequestError) {
    sendJson(response, 422, "application/json", validationProblem(error.faults));
    return;
  }
  sendProblem(context, response, problemOf(context, response, error, operation));
}

/** Counts an error in the usage of the request's key. Without a known key it is nobody's. */
export function countErrorOf(context: EntryContext, response: Response): void {
  const { caller, isCounted } = exchangeOf(response);
  if (caller !== null) countError(context, caller, { isCounted });
}

/** The problem that a page or a tool shows for an error. An unexpected error is logged. */
export const problemFor = (
  context: EntryContext,
  response: Response,
  thrown: unknown,
  operation?: Operation,
): ProblemError => problemOf(context, response, errorOf(response, thrown), operation);

/** An error of the database as such. A request that its client broke off fails with a code that these have too. */
const errorOf = ({ req: request }: Response, thrown: unknown): unknown =>
  thrown === request.errored ? thrown : toDatabaseError(thrown);

/** Sets Retry-After when trying again helps. Returns the problem's status. */
export function setRetryAfter(response: Response, problem: ProblemError): number {
  const retryAfterSeconds = retryAfterSecondsOf(problem);
  if (retryAfterSeconds !== null) response.setHeader("Retry-After", String(retryAfterSeconds));
  return statusOf(problem.code);
}

/** How long to wait before trying again; null when waiting does not help. */
export function retryAfterSecondsOf({ code, retryAfterSeconds }: ProblemError): number | null {
  const status = statusOf(code);
  return status === 429 || status === 503 ? (retryAfterSeconds ?? RETRY_AFTER_SECONDS) : retryAfterSeconds;
}

function sendProblem({ config }: EntryContext, response: Response, problem: ProblemError): void {
  const body = problemBody(config.publicUrl, problem.code, problem.message.slice(0, LONGEST_DETAIL));
  setRetryAfter(response, problem);
  for (const [name, value] of Object.entries(problem.headers)) response.setHeader(name, value);
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
  if (hasClientLeft(response, error)) {
    context.log.debug({ requestId, operation: name, err: error }, "An answer broke off.");
    return unavailable();
  }
  const message = ofDisk(context, error);
  if (message !== null) {
    // Where the code wrote does not matter, so no stack.
    context.log.error({ requestId, operation: name, reason: (error as Error).message }, message);
    return unavailable();
  }
  if (error instanceof DatabaseUnavailableError) {
    context.log.warn({ requestId, operation: name, err: error }, "A request could not reach the database.");
    return unavailable();
  }
  context.log.error({ requestId, operation: name, err: error }, "A request failed unexpectedly.");
  return new ProblemError(
    "internal_error",
    `The service failed. Try again; if it fails again, report the request id ${requestId}.`,
  );
}

/** What the log says of an error of a disk, which an operator solves; null for any other error. */
function ofDisk({ config }: EntryContext, error: unknown): string | null {
  if (error instanceof DatabaseUnavailableError)
    return error.isDiskFull ? "The database's disk is full." : null;
  const { code = "", path: file } = (error ?? {}) as NodeJS.ErrnoException;
  if (isDiskFull({ code })) return "The disk of DATA_DIR is full.";
  const isInDataDir = typeof file === "string" && file.startsWith(path.normalize(config.dataDir));
  return isInDataDir || DISK_BROKEN.includes(code) ? "A file of DATA_DIR can't be used." : null;
}

/** Error codes of a disk that fails, or became read-only while a file was open. */
const DISK_BROKEN = ["EIO", "EROFS"];

const unavailable = () =>
  new ProblemError("unavailable", "The service cannot answer at the moment. Try again shortly.");

// Clients do not expect a problem that the operation does not declare. It is a bug, and answered as one.
function isDeclared(problem: ProblemError, operation: Operation | undefined): boolean {
  return operation === undefined || operation.errors.includes(statusOf(problem.code));
}

/** Error codes of a client that left: during its answer, before it, or during its request. */
const CLIENT_LEFT = ["ERR_STREAM_PREMATURE_CLOSE", "ERR_STREAM_UNABLE_TO_PIPE", "ECONNRESET"];

/** Whether an answer broke off because its client left, which is no fault. */
export const hasClientLeft = (response: Response, error: unknown): boolean =>
  (response.headersSent || response.destroyed) &&
  CLIENT_LEFT.includes((error as NodeJS.ErrnoException | null)?.code ?? "");

// The answer has begun, or its client has left. Destroying the connection shows the client that the rest is missing.
function breakOff(context: EntryContext, response: Response, error: unknown): void {
  const { requestId, operation } = exchangeOf(response);
  const isOurs = !(error instanceof ProblemError || error instanceof InvalidRequestError);
  const level = isOurs && !hasClientLeft(response, error) ? "warn" : "debug";
  context.log[level]({ requestId, operation, err: error }, "An answer broke off.");
  response.destroy();
}
