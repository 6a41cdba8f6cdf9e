import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Response } from "express";
import type { EntryContext } from "../../platform/context.ts";
import { exchangeOf } from "../exchange.ts";

/**
 * Keeps at most `mostConnections` open. A further connection replaces the one that has waited longest for its client:
 * to send a request, or to read an answer that needs no key. So clients that send or read nothing keep nobody out. An
 * answer to a customer is never cut, however slowly it is read. When every connection is busy with such answers, or with
 * answers that have not begun, the new connection is cut.
 */
export function boundConnections(
  { log, metrics }: Pick<EntryContext, "log" | "metrics">,
  server: Server,
  mostConnections: number,
): void {
  // Each connection with its unfinished answers, ordered by its last event: it was opened, a request began, an answer ended.
  const connections = new Map<Socket, Set<ServerResponse>>();
  let isFull = false;

  const moveToEnd = (socket: Socket) => {
    const answers = connections.get(socket);
    if (answers && connections.delete(socket)) connections.set(socket, answers);
  };

  const cutOne = (newcomer: Socket) => {
    const waiting = connections.entries().find(([, answers]) => answers.values().every(isLeftToClient));
    const [chosen] = waiting ?? [newcomer];
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
    connections.set(socket, new Set());
    socket.once("close", () => {
      connections.delete(socket);
      if (connections.size <= mostConnections / 2) isFull = false;
    });
    if (connections.size > mostConnections) cutOne(socket);
  });

  const follow = (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    connections.get(socket)?.add(response);
    moveToEnd(socket);
    response.once("close", () => {
      connections.get(socket)?.delete(response);
      moveToEnd(socket);
    });
  };
  server.on("request", follow);
  server.on("checkExpectation", follow);
}

/** Whether the connection waits for the client: the request is incomplete, or the answer goes to a client without a key. */
const isLeftToClient = (answer: ServerResponse): boolean =>
  !answer.req.complete || (answer.headersSent && exchangeOf(answer as Response).caller === null);
