import { Connection } from "./connection.ts";
import type { Connector } from "./connector.ts";

/** The connections to all receivers. */
export interface Connections {
  /** One for the origin that carries no request: an idle one, or a new one. */
  take(origin: string): Connection;
  /** Keeps one whose answer has ended well for the next request. */
  giveBack(connection: Connection): void;
  /** Closes one for good. */
  drop(connection: Connection): void;
  closeAll(): void;
}

/** How many wait at most, to all receivers together: with thousands of receivers the oldest give way. */
const MOST_IDLE = 100;
/** A busy connection is opened anew after so long, so that a receiver that has moved is followed. */
const LONGEST_LIFE_MS = 60_000;

export function createConnections(connect: Connector): Connections {
  const open = new Set<Connection>();
  /** In the order in which they became idle. */
  const idle = new Set<Connection>();
  const idleByOrigin = new Map<string, Connection[]>();

  const leaveIdle = (connection: Connection): void => {
    idle.delete(connection);
    const others = idleByOrigin.get(connection.origin);
    // Nearly always it is the last.
    others?.splice(others.lastIndexOf(connection), 1);
    if (others?.length === 0) idleByOrigin.delete(connection.origin);
  };
  const drop = (connection: Connection): void => {
    if (idle.has(connection)) leaveIdle(connection);
    open.delete(connection);
    connection.destroy();
  };
  // One that carries a request is dropped by the request's own failure.
  const onClosed = (connection: Connection): void => {
    if (idle.has(connection)) drop(connection);
  };

  return {
    take(origin) {
      // The one used last, so that those above the need grow old and close.
      const newest = idleByOrigin.get(origin)?.at(-1);
      if (newest !== undefined) {
        leaveIdle(newest);
        if (newest.isOpen) return newest;
        drop(newest);
      }
      const connection = new Connection(origin, connect, onClosed);
      open.add(connection);
      return connection;
    },
    giveBack(connection) {
      const isOld = performance.now() - connection.openedAtMs > LONGEST_LIFE_MS;
      if (isOld || !connection.isOpen) return drop(connection);
      idle.add(connection);
      const others = idleByOrigin.get(connection.origin);
      if (others) others.push(connection);
      else idleByOrigin.set(connection.origin, [connection]);
      const [oldest] = idle;
      if (idle.size > MOST_IDLE && oldest !== undefined) drop(oldest);
    },
    drop,
    closeAll: () => {
      for (const connection of open) drop(connection);
    },
  };
}
