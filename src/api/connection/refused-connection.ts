import { randomUUID } from "node:crypto";
import type { Duplex } from "node:stream";
import type { EntryContext } from "../../platform/context.ts";
import { ProblemError, problemBody } from "../../platform/http/problem.ts";

/** Refused connections that are still open, so that their clients can read why. */
const refused = new WeakSet<Duplex>();

/**
 * Answers input that never became a request: bytes that are not HTTP, headers that are too large, requests that did not
 * arrive in time. Node has no response object for these, so the answer is written as text and the connection ends. A
 * connection that the client leaves open is destroyed after `lingerMs`.
 */
export function refuseConnection(
  context: EntryContext,
  error: NodeJS.ErrnoException,
  socket: Duplex,
  lingerMs: number,
): void {
  // More bytes that are not HTTP. Destroying the connection now could lose the answer.
  if (refused.has(socket)) return;
  // A second answer must not be written into one that has begun.
  const isAnswering = Reflect.get(socket, "_httpMessage")?.headersSent === true;
  if (error.code === "ECONNRESET" || !socket.writable || isAnswering) {
    socket.destroy();
    return;
  }
  refused.add(socket);
  const lingering = setTimeout(() => socket.destroy(), lingerMs);
  socket.once("close", () => clearTimeout(lingering));
  const requestId = randomUUID();
  const problem = problemOf(error.code);
  const body = problemBody(context.config.publicUrl, problem.code, problem.message);
  const text = JSON.stringify(body);
  context.log.info(
    { requestId, status: body.status, reason: error.code },
    `Refused a connection with ${body.status}.`,
  );
  socket.end(
    [
      `HTTP/1.1 ${body.status} ${body.title}`,
      "Content-Type: application/problem+json",
      `Content-Length: ${Buffer.byteLength(text)}`,
      `X-Request-Id: ${requestId}`,
      "X-Content-Type-Options: nosniff",
      "Cache-Control: no-store",
      "Connection: close",
      "",
      text,
    ].join("\r\n"),
  );
}

function problemOf(code: string | undefined): ProblemError {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return new ProblemError("request_timeout", "The request did not arrive completely in time.");
  }
  if (code === "HPE_HEADER_OVERFLOW") {
    return new ProblemError("bad_request", "The request's address and headers are larger than 16 KB.");
  }
  return new ProblemError("bad_request", "The request is not valid HTTP.");
}
