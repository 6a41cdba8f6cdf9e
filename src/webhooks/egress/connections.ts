import { Connection } from "./connection.ts";
import type { Connector } from "./connector.ts";

/** The connections to all receivers. */
export interface Connections {
  /** A connection to the origin for one request: an idle one, or a new one. */
  take(origin: string): Connection;
  /** A new connection to the origin. */
  open(origin: string): Connection;
  /** Keeps a connection whose answer ended well for the next request. */
  giveBack(connection: Connection): void;
  /** Closes a connection. */
  drop(connection: Connection): void;
  closeAll(): void;
}

/** A busy connection is replaced after this time, so that a changed address of the receiver is noticed. */
const LONGEST_LIFE_MS = 60_000;

/** Keeps up to `mostIdle` idle connections, to all receivers together. Above it the oldest are closed. */
export function createConnections(connect: Connector, mostIdle: number): Connections {
  const open = new Set<Connection>();
  /** In the order in which they became idle. */
  const idle = new Set<Connection>();
  const idleByOrigin = new Map<string, Connection[]>();

  const removeIdle = (connection: Connection): void => {
    idle.delete(connection);
    const others = idleByOrigin.get(connection.origin);
    // It is nearly always the last of them.
    others?.splice(others.lastIndexOf(connection), 1);
    if (others?.length === 0) idleByOrigin.delete(connection.origin);
  };
  const drop = (connection: Connection): void => {
    if (idle.has(connection)) removeIdle(connection);
    open.delete(connection);
    connection.destroy();
  };
  // A connection with a request is dropped when that request fails.
  const onClosed = (connection: Connection): void => {
    if (idle.has(connection)) drop(connection);
  };

  const openNew = (origin: string): Connection => {
    const connection = new Connection(origin, connect, onClosed);
    open.add(connection);
    return connection;
  };

  return {
    open: openNew,
    take(origin) {
      // The one used last, so that unneeded connections grow old and close.
      const newest = idleByOrigin.get(origin)?.at(-1);
      if (newest !== undefined) {
        removeIdle(newest);
        if (newest.isOpen) return newest;
        drop(newest);
      }
      return openNew(origin);
    },
    giveBack(connection) {
      const isOld = performance.now() - connection.openedAtMs > LONGEST_LIFE_MS;
      if (isOld || !connection.isOpen) return drop(connection);
      idle.add(connection);
      const others = idleByOrigin.get(connection.origin);
      if (others) others.push(connection);
      else idleByOrigin.set(connection.origin, [connection]);
      const [oldest] = idle;
      if (idle.size > mostIdle && oldest !== undefined) drop(oldest);
    },
    drop,
    closeAll: () => {
      for (const connection of open) drop(connection);
    },
  };
}
