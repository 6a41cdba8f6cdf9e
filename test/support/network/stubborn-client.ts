import { connect, type Socket } from "node:net";

/** A client that never closes its side, whatever the server does, until `leave` is called. */
export interface StubbornClient {
  /** Everything received so far. */
  received(): string;
  /** Resolves once the server has closed its side. */
  ended: Promise<void>;
  /** Resolves once the server has destroyed the connection: bytes sent to it are answered by a reset. */
  cut: Promise<void>;
  leave(): void;
}

export interface Habits {
  /** Sent at once. */
  first?: string;
  /** Sent again and again, every `everyMs`. */
  drip?: { bytes: string; everyMs: number };
  /** Never reads the answer. */
  isDeaf?: boolean;
}

/** Connects to a port of this machine. */
export function stubbornClient(
  port: number,
  { first = "", drip, isDeaf = false }: Habits = {},
): StubbornClient {
  // Half open: this side stays open when the server closes its side.
  const socket: Socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  const chunks: Buffer[] = [];
  let dripping: NodeJS.Timeout | undefined;
  socket.on("connect", () => {
    if (first !== "") socket.write(first);
    if (drip) dripping = setInterval(() => socket.write(drip.bytes), drip.everyMs);
  });
  if (!isDeaf) socket.on("data", (chunk) => chunks.push(Buffer.from(chunk)));
  socket.on("error", () => {});
  const ended = new Promise<void>((resolve) => socket.on("end", resolve));
  const cut = new Promise<void>((resolve) => {
    socket.on("close", () => {
      clearInterval(dripping);
      resolve();
    });
  });
  return {
    received: () => Buffer.concat(chunks).toString("latin1"),
    ended,
    cut,
    leave: () => socket.destroy(),
  };
}
