// Receivers that break the rules below HTTP. Each is a real server on loopback, named by its fault.
import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { gzipSync } from "node:zlib";
import { RECEIVER_TLS } from "./receiver.ts";

export interface HostileReceiver {
  url: string;
  openSockets(): number;
  /** Bytes written by all its sockets, including those still in buffers. */
  writtenBytes(): number;
  close(): Promise<void>;
}

/** The action of a receiver on a socket: on a plain one when it is opened, or on a TLS one after its request. */
export interface Hostility {
  at: "connection" | "request";
  act: (socket: Socket, dripMs: number) => void;
}

const onRequest = (act: Hostility["act"]): Hostility => ({ at: "request", act });
const onConnection = (act: Hostility["act"]): Hostility => ({ at: "connection", act });

const OK = "HTTP/1.1 200 OK\r\n";
const BOMB = gzipSync(Buffer.alloc(50_000_000));
const WAVE = Buffer.alloc(16_384, "a");

export const HOSTILITIES = {
  "a body without end": onRequest((socket) => pour(socket, `${OK}\r\n`, WAVE)),
  "10 GB of body": onRequest((socket) => pour(socket, `${OK}content-length: 10000000000\r\n\r\n`, WAVE)),
  "a gzip bomb": onRequest((socket) => {
    socket.write(`${OK}content-encoding: gzip\r\ncontent-length: ${BOMB.length}\r\n\r\n`);
    socket.write(BOMB);
  }),
  "a body that drips": onRequest((socket, dripMs) =>
    drip(socket, `${OK}content-length: 100000\r\n\r\n`, dripMs),
  ),
  "headers that drip": onRequest((socket, dripMs) => drip(socket, `${OK}x: `, dripMs)),
  "1 MB of headers": onRequest((socket) => {
    socket.write(`${OK}${`x-number: ${"9".repeat(90)}\r\n`.repeat(10_000)}\r\n`);
  }),
  "a header without end": onRequest((socket) => pour(socket, `${OK}x: `, WAVE)),
  "a status line without end": onRequest((socket) => pour(socket, "HTTP/1.1 200 ", WAVE)),
  "blank lines without end": onRequest((socket) => pour(socket, "", Buffer.alloc(16_384, "\r\n"))),
  "early hints without end": onRequest((socket) =>
    pour(socket, "", Buffer.from("HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n".repeat(400))),
  ),
  "a chunk's extension without end": onRequest((socket) =>
    pour(socket, `${OK}transfer-encoding: chunked\r\n\r\n1;`, WAVE),
  ),
  "trailers without end": onRequest((socket) =>
    pour(socket, `${OK}transfer-encoding: chunked\r\n\r\n0\r\n`, Buffer.from("x-a: b\r\n".repeat(2_000))),
  ),
  "silence after the request": onRequest(() => {}),
  "silence after the headers": onRequest((socket) => socket.write(`${OK}content-length: 5\r\n\r\n`)),
  "a hang-up after the request": onRequest((socket) => socket.end()),
  "a hang-up in the body": onRequest((socket) => socket.end(`${OK}content-length: 5\r\n\r\nab`)),
  "another protocol": onRequest((socket) => socket.write("SSH-2.0-OpenSSH_9.9\r\n")),
  "a change of protocol": onRequest((socket) =>
    socket.write("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n"),
  ),
  "two answers to each request": onRequest((socket) =>
    socket.write("HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\nHTTP/1.1 200 Yes\r\ncontent-length: 0\r\n\r\n"),
  ),
  "HTTP/1.0": onRequest((socket) => socket.end("HTTP/1.0 200 OK\r\n\r\nthank you")),
  "silence instead of TLS": onConnection(() => {}),
  "TLS that drips": onConnection((socket, dripMs) => drip(socket, Buffer.from([22, 3, 3, 64, 0]), dripMs)),
  "plain HTTP instead of TLS": onConnection((socket) => socket.end(`${OK}\r\n`)),
  "a reset instead of TLS": onConnection((socket) => socket.resetAndDestroy()),
} satisfies Record<string, Hostility>;

/** Starts one. A dripping one sends a byte every `dripMs`. */
export async function startHostileReceiver(
  { at, act }: Hostility,
  { dripMs = 20 }: { dripMs?: number } = {},
): Promise<HostileReceiver> {
  const sockets = new Set<Socket>();
  let closedBytes = 0;
  const receive = (socket: Socket) => {
    socket.on("error", () => {});
    // Keep reading: otherwise the close of the other side would not be noticed.
    if (at === "connection") return act(socket.resume(), dripMs);
    socket.once("data", () => act(socket, dripMs));
  };
  const server: Server = at === "connection" ? createServer(receive) : createTlsServer(RECEIVER_TLS, receive);
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    // Some clients disconnect during the handshake; that is expected.
    socket.on("error", () => {});
    socket.once("close", () => {
      sockets.delete(socket);
      closedBytes += socket.bytesWritten;
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    openSockets: () => sockets.size,
    writtenBytes: () => [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, closedBytes),
    close: async () => {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Writes as fast as the other side reads, until it disconnects. */
function pour(socket: Socket, start: string, wave: Buffer): void {
  const more = () => {
    while (!socket.destroyed && socket.write(wave)) {}
  };
  socket.on("drain", more);
  if (start !== "") socket.write(start);
  more();
}

function drip(socket: Socket, start: string | Buffer, dripMs: number): void {
  socket.write(start);
  const timer = setInterval(() => socket.write("a"), dripMs);
  socket.once("close", () => clearInterval(timer));
}
