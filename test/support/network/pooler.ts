import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { databaseAtPort } from "../database.ts";

/** A server in front of a database that treats the start of a session as an old pooler does. */
export interface Pooler {
  url: string;
  close(): Promise<void>;
}

/** Drops every setting that a client sends with its start, and tells it a process id of its own. */
export async function poolerBefore(databaseUrl: string): Promise<Pooler> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    near.once("data", (startup: Buffer) => {
      far.write(withoutSettings(startup));
      near.pipe(far);
    });
    far.on("data", (chunk: Buffer) => near.write(withOwnProcessId(chunk)));
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        near.destroy();
        far.destroy();
      });
    }
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: databaseAtPort(databaseUrl, (server.address() as AddressInfo).port),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const HEADER_BYTES = 8;

/** The startup message with the user and the database alone: length, version, then names and values, each ended by 0. */
function withoutSettings(startup: Buffer): Buffer {
  const words = startup.toString("utf8", HEADER_BYTES).split("\0");
  const kept = ["user", "database"].flatMap((name) => [name, words[words.indexOf(name) + 1] ?? ""]);
  const message = Buffer.concat([startup.subarray(0, HEADER_BYTES), Buffer.from(`${kept.join("\0")}\0\0`)]);
  message.writeInt32BE(message.length);
  return message;
}

/** BackendKeyData: K, its length, the process id, a secret. The server sends it once, when a session starts. */
function withOwnProcessId(chunk: Buffer): Buffer {
  const at = chunk.indexOf(Buffer.from([0x4b, 0, 0, 0, 12]));
  if (at >= 0) chunk.writeInt32BE(1, at + 5);
  return chunk;
}
