import { EventEmitter, on } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** How the portal answers one request; `received` resolves once the client has noted so many bytes. */
export type Answer = (
  request: IncomingMessage,
  response: ServerResponse,
  received: (bytes: number) => Promise<void>,
) => void | Promise<void>;

/** A local portal that answers each request by the next answer of a script, and by the last one from then on. */
export interface Portal {
  url: string;
  /** The requests, in order. */
  requests: { path: string; headers: IncomingMessage["headers"] }[];
  /** Called with the number of bytes that the client has received so far. */
  noteReceived(bytes: number): void;
  close(): Promise<void>;
}

/** Opens the portal, on a free port unless the script begins with one. */
export async function openPortal(...script: [port: number, ...Answer[]] | Answer[]): Promise<Portal> {
  const [first, ...others] = script;
  const port = typeof first === "number" ? first : 0;
  const answers = (typeof first === "number" ? others : script) as Answer[];
  const requests: Portal["requests"] = [];
  const noted = new EventEmitter();
  const received = async (bytes: number) => {
    for await (const [count] of on(noted, "received")) if (count >= bytes) return;
  };
  const server = createServer((request, response) => {
    const answer = answers[Math.min(requests.length, answers.length - 1)];
    requests.push({ path: request.url ?? "", headers: request.headers });
    answer?.(request, response, received);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    noteReceived: (bytes) => void noted.emit("received", bytes),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const CSV = { "content-type": "text/csv; charset=UTF-8" };

/** The file as a well-behaved server sends it: length, ETag, ranges, conditions. */
export const serve =
  (text: string | Buffer, etag = '"one"', headers: Record<string, string> = {}): Answer =>
  (request, response) => {
    const body = typeof text === "string" ? Buffer.from(text) : text;
    const { range } = request.headers;
    if (request.headers["if-none-match"] === etag) return void response.writeHead(304, { etag }).end();
    const start = Number(/^bytes=(\d+)-$/.exec(range ?? "")?.[1] ?? 0);
    const isRange = range !== undefined && request.headers["if-range"] === etag && start < body.length;
    const whole = { ...CSV, etag, ...headers };
    if (!isRange) return void response.writeHead(200, { ...whole, "content-length": body.length }).end(body);
    const contentRange = `bytes ${start}-${body.length - 1}/${body.length}`;
    const rest = body.subarray(start);
    response.writeHead(206, { ...whole, "content-range": contentRange, "content-length": rest.length });
    response.end(rest);
  };

/** Sends the first bytes under the whole length and ETag, then cuts the connection. */
export const breakOff =
  (text: string, afterBytes: number, etag: string | null = '"one"'): Answer =>
  async (_request, response, received) => {
    const body = Buffer.from(text);
    response.writeHead(200, { ...CSV, ...(etag && { etag }), "content-length": body.length });
    response.write(body.subarray(0, afterBytes));
    await received(afterBytes);
    response.socket?.destroy();
  };

/** Sends the first bytes and then nothing more. */
export const stall =
  (text: string, afterBytes: number): Answer =>
  (_request, response) => {
    response.writeHead(200, { ...CSV, etag: '"one"', "content-length": Buffer.byteLength(text) });
    response.write(Buffer.from(text).subarray(0, afterBytes));
  };

/** One status, its headers and a short body. */
export const status =
  (code: number, headers: Record<string, string> = {}, body = ""): Answer =>
  (_request, response) =>
    void response.writeHead(code, headers).end(body);
