import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Response } from "express";
import type { EntryContext } from "../../platform/context.ts";
import { exchangeOf } from "../exchange.ts";

/**
 * Keeps at most `mostConnections` open. One more takes the place of the connection that has waited longest for its
 * client: to send a request or the rest of one, or to read what anybody may ask for without a key. So clients that send or
 * read nothing keep nobody out. What a customer asked for is never cut, however slowly it is read; when all connections are
 * busy with that, or with answers that have not begun, the new one is cut.
 */
export function boundConnections(
  { log, metrics }: Pick<EntryContext, "log" | "metrics">,
  server: Server,
  mostConnections: number,
): void {
  // In the order of the last event of each: it was opened, a request began, an answer ended. Its answers that are not sent
  // whole yet stand beside it.
  const connections = new Map<Socket, Set<ServerResponse>>();
  let isFull = false;

  const moveToEnd = (socket: Socket) => {
    const answers = connections.get(socket);
    if (answers && connections.delete(socket)) connections.set(socket, answers);
  };

  const makeRoom = (newcomer: Socket) => {
    const waiting = connections.entries().find(([, answers]) => answers.values().every(isLeftToClient));
    const [chosen] = waiting ?? [newcomer];
    // At once, not when it is closed: until then the next newcomer would choose it again.
    connections.delete(chosen);
    chosen.destroy();
    metrics.connectionsCut.inc({ reason: chosen === newcomer ? "no_room" : "made_room" });
    if (isFull) return;
    isFull = true;
    log.warn(
      { mostConnections },
      "As many connections are open as may be: each new one replaces the one that waits longest for its client.",
    );
  };

  server.on("connection", (socket: Socket) => {
    connections.set(socket, new Set());
    socket.once("close", () => {
      connections.delete(socket);
      if (connections.size <= mostConnections / 2) isFull = false;
    });
    if (connections.size > mostConnections) makeRoom(socket);
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

/** Whether its request is not complete, or it is sent, or about to be, to a client that named no key. */
const isLeftToClient = (answer: ServerResponse): boolean =>
  !answer.req.complete || (answer.headersSent && exchangeOf(answer as Response).keyId === null);
