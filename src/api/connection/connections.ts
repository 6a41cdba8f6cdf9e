import { randomUUID } from "node:crypto";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { EntryContext } from "../../platform/context.ts";
import { ProblemError, problemBody } from "../../platform/http/problem.ts";

/** An open connection. Its answers are an array: V8 keeps what a set had until it collects its whole heap. */
interface Connection {
  /** Those that are not finished. */
  answers: ServerResponse[];
  /** The number of its last event: it was opened, a request began, an answer ended. */
  lastEvent: number;
}

const openConnections = new WeakMap<Server, Map<Socket, Connection>>();

/** The answers of a server's connections that are not finished. */
export const openAnswers = (server: Server): ServerResponse[] =>
  [...(openConnections.get(server)?.values() ?? [])].flatMap(({ answers }) => answers);

/**
 * Keeps at most `mostConnections` open. A further connection replaces the one that has waited longest for its client:
 * to send a request, or to read an answer that needs no key. So clients that send or read nothing keep nobody out. An
 * answer to a customer is never cut, however slowly it is read. When every connection is busy with such answers, or with
 * answers that have not begun, the new connection is cut.
 */
export function boundConnections(
  { log, metrics }: Pick<EntryContext, "log" | "metrics">,
  server: Server,
  { mostConnections, hasKey }: { mostConnections: number; hasKey: (answer: ServerResponse) => boolean },
): void {
  const connections = new Map<Socket, Connection>();
  openConnections.set(server, connections);
  let events = 0;
  let isFull = false;

  // Whether the connection waits for the client: the request is incomplete, or the answer goes to a client without a key.
  const isLeftToClient = (answer: ServerResponse) =>
    !answer.req.complete || (answer.headersSent && !hasKey(answer));

  const cutOne = (newcomer: Socket) => {
    let chosen = newcomer;
    let longestAgo = events;
    for (const [socket, { answers, lastEvent }] of connections) {
      if (lastEvent >= longestAgo || !answers.every(isLeftToClient)) continue;
      chosen = socket;
      longestAgo = lastEvent;
    }
    // Deleted now and not on close, or the next new connection would choose it again.
    connections.delete(chosen);
    chosen.destroy();
    metrics.connectionsCut.inc({ reason: chosen === newcomer ? "no_room" : "made_room" });
    if (isFull) return;
    isFull = true;
    log.warn(
      { mostConnections },
      "The limit of open connections is reached. Each new one replaces the one that waits longest for its client.",
    );
  };

  server.on("connection", (socket: Socket) => {
    connections.set(socket, { answers: [], lastEvent: ++events });
    socket.once("close", () => {
      connections.delete(socket);
      if (connections.size <= mostConnections / 2) isFull = false;
    });
    if (connections.size > mostConnections) cutOne(socket);
  });

  const follow = (request: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(request.socket);
    if (connection === undefined) return;
    connection.answers.push(response);
    connection.lastEvent = ++events;
    response.once("close", () => {
      connection.answers.splice(connection.answers.indexOf(response), 1);
      connection.lastEvent = ++events;
    });
  };
  server.on("request", follow);
  server.on("checkExpectation", follow);
}

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
