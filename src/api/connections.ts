import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Context } from "../platform/context.ts";

/**
 * Keeps at most `mostConnections` open. One more takes the place of the connection that has waited longest for its
 * client: for a request, or for the rest of one. So clients that send nothing keep nobody out. A connection whose request
 * is complete and not answered yet is never cut; when all are such ones, the new connection is.
 */
export function boundConnections(
  { log, metrics }: Pick<Context, "log" | "metrics">,
  server: Server,
  mostConnections: number,
): void {
  // In the order of the last event of each: it was opened, a request began, an answer ended. Its requests that are not
  // answered yet stand beside it.
  const connections = new Map<Socket, Set<IncomingMessage>>();
  let isFull = false;

  const moveToEnd = (socket: Socket) => {
    const requests = connections.get(socket);
    if (requests && connections.delete(socket)) connections.set(socket, requests);
  };

  const makeRoom = (newcomer: Socket) => {
    const [chosen = newcomer] = [...connections].find(([, requests]) => isWaiting(requests)) ?? [];
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
    connections.get(socket)?.add(request);
    moveToEnd(socket);
    response.once("close", () => {
      connections.get(socket)?.delete(request);
      moveToEnd(socket);
    });
  };
  server.on("request", follow);
  server.on("checkExpectation", follow);
}

/** Whether the client has to send something before the server can do anything for it. */
const isWaiting = (requests: ReadonlySet<IncomingMessage>): boolean =>
  [...requests].every(({ complete }) => !complete);
