import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { databaseAtPort } from "../database.ts";

/** A connection to a database that a test can break and restore. */
export interface CuttableWay {
  url: string;
  cut(): void;
  /** Lets every connection, also each new one, go on without a byte, as when the other machine is gone. */
  silence(): void;
  mend(): void;
  close(): Promise<void>;
}

/** An address that leads to one of several servers, as one that follows the primary does. */
interface MovableWay {
  url: string;
  /** Cuts every connection. New ones lead to the first of these databases' servers that takes them. */
  leadTo(...databaseUrls: string[]): void;
  /** Lets every connection, also each new one, go on without a byte. */
  silence(): void;
  close(): Promise<void>;
}

/** Puts a proxy before the server of a database's address. */
export async function cuttableWayTo(databaseUrl: string): Promise<CuttableWay> {
  const way = await movableWayTo(databaseUrl);
  return {
    url: way.url,
    cut: () => way.leadTo(),
    silence: way.silence,
    mend: () => way.leadTo(databaseUrl),
    close: way.close,
  };
}

/**
 * Puts a proxy before the server of a database's address that loses the answer to a commit, as a network does that breaks just
 * then: the first commit that a connection sends after a statement with this text.
 */
export async function wayWithoutAnswer(
  databaseUrl: string,
  text: string,
): Promise<Pick<CuttableWay, "url" | "close">> {
  const sockets = new Set<Socket>();
  const target = new URL(databaseUrl);
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    track(near, sockets);
    track(far, sockets);
    let isText = false;
    let isLost = false;
    near.on("data", (sent) => {
      isLost ||= isText && sent.includes("COMMIT");
      isText ||= sent.includes(text);
      far.write(sent);
    });
    far.on("data", (answer) => (isLost ? near.destroy() : near.write(answer)));
    near.on("close", () => far.destroy());
    far.on("close", () => near.destroy());
  });
  return {
    url: databaseAtPort(databaseUrl, await listenAnywhere(server)),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Puts a proxy before the servers of these addresses of one database. Each further connection begins with the next one. */
export async function movableWayTo(...databaseUrls: [string, ...string[]]): Promise<MovableWay> {
  const sockets = new Set<Socket>();
  let targets: URL[] = databaseUrls.map((each) => new URL(each));
  let connections = 0;
  let isSilent = false;
  const server = createServer((near) => {
    track(near, sockets);
    if (isSilent) return;
    const first = connections++;
    join(
      near,
      targets.map((_, index) => targets[(first + index) % targets.length] as URL),
    );
  });
  const join = (near: Socket, [target, ...others]: URL[]) => {
    if (target === undefined || near.destroyed) return near.destroy();
    const far = connect(Number(target.port), target.hostname);
    track(far, sockets);
    const next = () => join(near, others);
    far.once("error", next);
    far.once("connect", () => {
      far.off("error", next);
      near.pipe(far);
      far.pipe(near);
      near.on("close", () => far.destroy());
      far.on("close", () => near.destroy());
    });
  };
  const url = databaseAtPort(databaseUrls[0], await listenAnywhere(server));
  const leadTo = (...next: string[]) => {
    targets = next.map((each) => new URL(each));
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  return {
    url,
    leadTo,
    silence: () => {
      isSilent = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    close: async () => {
      leadTo();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function track(socket: Socket, sockets: Set<Socket>): void {
  sockets.add(socket);
  socket.on("error", () => {});
  socket.on("close", () => sockets.delete(socket));
}

async function listenAnywhere(server: Server): Promise<number> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
}
