import { readFile } from "node:fs/promises";
import type { Socket } from "node:net";
import type { Application, Request, Response } from "express";

/** How often within the time that a reader may take nothing it is looked whether it took something. */
const LOOKS = 5;

const silences = new WeakMap<Application, number>();

/** For so long a reader may take nothing of a long answer. */
export const setSilence = (app: Application, silenceMs: number): unknown => silences.set(app, silenceMs);

/**
 * Cuts the connection of an answer once nothing of it has moved for the time of `setSilence`. Node tells when its socket
 * rests, but sees only what the kernel accepts: a buffer of megabytes that a slow reader empties rests for minutes. So
 * it is asked what the reader acknowledged, too.
 */
export function waitPatiently(request: Request, response: Response): void {
  const silenceMs = silences.get(request.app);
  if (silenceMs === undefined) return;
  const { socket } = request;
  let seen = "";
  let looksWithoutChange = 0;
  const look = async (): Promise<void> => {
    const now = await progressOf(socket);
    if (response.writableFinished || socket.destroyed) return;
    looksWithoutChange = now === seen ? looksWithoutChange + 1 : 0;
    seen = now;
    // The first look has nothing to compare with.
    if (looksWithoutChange >= LOOKS) socket.destroy();
    else response.setTimeout(silenceMs / LOOKS);
  };
  // With a listener, Node leaves the socket open.
  response.on("timeout", () => void look());
  response.setTimeout(silenceMs / LOOKS);
}

/** A text that changes whenever bytes of the connection move. */
async function progressOf(socket: Socket): Promise<string> {
  const { bytesRead, bytesWritten, writableLength, localPort, remotePort } = socket;
  const unacknowledged = await unacknowledgedBytes(localPort, remotePort);
  return [bytesRead, bytesWritten, writableLength, unacknowledged].join(" ");
}

// Linux lists its connections with the bytes that were sent and not acknowledged yet. Elsewhere there is no such file.
async function unacknowledgedBytes(localPort = 0, remotePort = 0): Promise<string> {
  const ends = (port: number) => `[0-9A-F]+:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  // proc_net_tcp: number, local address, remote address, state, bytes to send and to read.
  const line = new RegExp(`^ *\\d+: ${ends(localPort)} ${ends(remotePort)} [0-9A-F]{2} ([0-9A-F]+):`, "gm");
  const tables = await Promise.all(
    ["tcp", "tcp6"].map((name) => readFile(`/proc/self/net/${name}`, "latin1").catch(() => "")),
  );
  return tables.flatMap((table) => [...table.matchAll(line)].map(([, bytes]) => bytes)).join(" ");
}
