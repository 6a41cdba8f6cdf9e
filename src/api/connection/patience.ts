import { readFile } from "node:fs/promises";
import type { Socket } from "node:net";
import type { Application, Request, Response } from "express";

/** How many times progress is checked within the time that a reader may be silent. */
const CHECKS = 5;

const silences = new WeakMap<Application, number>();

/** Sets how long a reader may take nothing of a long answer. */
export const setSilence = (app: Application, silenceMs: number): unknown => silences.set(app, silenceMs);

/**
 * Destroys the connection of an answer once nothing has moved for the time of `setSilence`. Node's own timeout sees
 * only the bytes that the kernel accepts, and a slow reader may take minutes to empty the kernel's buffer of megabytes.
 * So this also looks at the bytes that the reader has acknowledged.
 */
export function waitPatiently(request: Request, response: Response): void {
  const silenceMs = silences.get(request.app);
  if (silenceMs === undefined) return;
  const { socket } = request;
  let seen = "";
  let checksWithoutChange = 0;
  const check = async (): Promise<void> => {
    const now = await progressOf(socket);
    if (response.writableFinished || socket.destroyed) return;
    checksWithoutChange = now === seen ? checksWithoutChange + 1 : 0;
    seen = now;
    // The first check has nothing to compare with.
    if (checksWithoutChange >= CHECKS) socket.destroy();
    else response.setTimeout(silenceMs / CHECKS);
  };
  // With a listener, Node does not close the socket itself.
  response.on("timeout", () => void check());
  response.setTimeout(silenceMs / CHECKS);
}

/** A text that changes whenever bytes of the connection move. */
async function progressOf(socket: Socket): Promise<string> {
  const { bytesRead, bytesWritten, writableLength, localPort, remotePort } = socket;
  const unacknowledged = await unacknowledgedBytes(localPort, remotePort);
  return [bytesRead, bytesWritten, writableLength, unacknowledged].join(" ");
}

// Linux lists its connections with the bytes that were sent and are not acknowledged. Other systems have no such file.
async function unacknowledgedBytes(localPort = 0, remotePort = 0): Promise<string> {
  const ends = (port: number) => `[0-9A-F]+:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  // The columns of proc_net_tcp: number, local address, remote address, state, bytes to send and to read.
  const line = new RegExp(`^ *\\d+: ${ends(localPort)} ${ends(remotePort)} [0-9A-F]{2} ([0-9A-F]+):`, "gm");
  const tables = await Promise.all(
    ["tcp", "tcp6"].map((name) => readFile(`/proc/self/net/${name}`, "latin1").catch(() => "")),
  );
  return tables.flatMap((table) => [...table.matchAll(line)].map(([, bytes]) => bytes)).join(" ");
}
