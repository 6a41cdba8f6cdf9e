import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createGzip } from "node:zlib";
import type { Request, Response } from "express";
import { ExportStream } from "../feeds/export-stream.ts";
import type { Operation } from "../generated/operations.ts";
import { isJsonText } from "../platform/json-text.ts";

/** What a handler answers, seen without its types. */
export interface PlainAnswer {
  status: number;
  headers?: Readonly<Record<string, string | undefined>>;
  body: unknown;
}

/**
 * Sends a handler's answer. An answer the contract does not declare throws: the compiler lets few of them through. A
 * stream that is not read to its end is destroyed, by which its maker knows which rows to give back.
 */
export async function sendAnswer(
  request: Request,
  response: Response,
  operation: Operation,
  answer: PlainAnswer,
): Promise<void> {
  try {
    await send(request, response, operation, answer);
  } finally {
    // `pipeline` leaves the stream alone when the client left before it began.
    if (answer.body instanceof Readable) answer.body.destroy();
  }
}

async function send(
  request: Request,
  response: Response,
  operation: Operation,
  answer: PlainAnswer,
): Promise<void> {
  const declared = operation.answers[answer.status];
  if (!declared) throw new Error(`The contract does not declare the answer ${answer.status}`);
  const text = declared.media === "application/json" ? jsonOf(answer.body) : null;
  // From here on nothing throws that could still be answered: a problem would carry this answer's headers.
  setHeaders(response, declared.headers, answer.headers ?? {});
  response.status(answer.status);
  if (text !== null) {
    response.setHeader("Content-Type", "application/json");
    response.setHeader("Content-Length", text.length);
    response.end(text);
  } else if (declared.media === "text/csv") {
    await sendCsv(request, response, answer.body as Readable);
  } else {
    response.end();
  }
}

const jsonOf = (body: unknown): Buffer => (isJsonText(body) ? body.json : Buffer.from(JSON.stringify(body)));

function setHeaders(
  response: Response,
  declared: readonly string[],
  given: NonNullable<PlainAnswer["headers"]>,
): void {
  const undeclared = Object.keys(given).filter(
    (name) => given[name] !== undefined && !declared.includes(name),
  );
  const missing = declared.filter((name) => given[name] === undefined);
  if (undeclared.length > 0 || missing.length > 0) {
    throw new Error(`The answer's headers are not the contract's: ${[...undeclared, ...missing].join(", ")}`);
  }
  for (const name of declared) response.setHeader(name, given[name] ?? "");
  if (declared.includes("ETag")) response.setHeader("Cache-Control", "private, no-cache");
}

// A stream that breaks breaks the connection: the client sees no last chunk, and knows that rows are missing.
async function sendCsv(request: Request, response: Response, body: Readable): Promise<void> {
  response.setHeader("Content-Type", "text/csv; charset=utf-8");
  response.setHeader("Vary", "Accept-Encoding");
  const isCompressed = request.acceptsEncodings("gzip", "identity") === "gzip";
  if (isCompressed) {
    response.setHeader("Content-Encoding", "gzip");
    // A tag is of one byte sequence; compressed, the answer only means the same.
    response.setHeader("ETag", `W/${String(response.getHeader("ETag")).replace(/^W\//, "")}`);
  }
  // HTTP/1.0 has no chunks: there a connection that merely closes is the end of a whole file.
  if (request.httpVersion === "1.0") body.once("error", () => response.socket?.resetAndDestroy());
  if (request.method === "HEAD") {
    response.end();
  } else if (isCompressed) {
    await pipeline(body, createGzip({ level: constants.Z_BEST_SPEED }), response);
  } else {
    response.on("drain", () => {
      // An answer that waited for its turn on the connection drains while its bytes still wait in the socket.
      if (body instanceof ExportStream && response.writableLength === 0) body.reuse();
    });
    await pipeline(body, response);
  }
}
