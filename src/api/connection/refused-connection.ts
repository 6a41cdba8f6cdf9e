import { randomUUID } from "node:crypto";
import type { Duplex } from "node:stream";
import type { EntryContext } from "../../platform/context.ts";
import { ProblemError, problemBody } from "../../platform/http/problem.ts";

/** Connections that are refused and not destroyed yet: their clients may still read why. */
const refused = new WeakSet<Duplex>();

/**
 * Answers what never became a request: bytes that are no HTTP, headers too large, and requests that did not arrive in
 * time. There is no response object yet, so the answer is written by hand; the connection ends with it. A client that
 * does not close its side loses it after `lingerMs`.
 */
export function refuseConnection(
  context: EntryContext,
  error: NodeJS.ErrnoException,
  socket: Duplex,
  lingerMs: number,
): void {
  // What still arrives is no HTTP either. To destroy the connection now could take the answer from its client.
  if (refused.has(socket)) return;
  // An answer that has begun on this connection must not be cut in two.
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
  const body = problemBody(problem.code, problem.message);
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
