import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Request, Response } from "express";
import { ExportStream } from "../feeds/export/export-stream.ts";
import type { Repeatable } from "../feeds/records/records.ts";
import type { Operation } from "../generated/operations.ts";
import { isJsonText } from "../platform/json-text.ts";
import { waitPatiently } from "./connection/patience.ts";
import { type Coding, codingFor, compressed, compressor } from "./content-coding.ts";

/** JSON up to this size is sent uncompressed: compression would hardly save a packet. */
const LARGEST_PLAIN_BYTES = 1024;

/** A handler's answer without its types. */
export interface PlainAnswer {
  status: number;
  headers?: Readonly<Record<string, string | undefined>>;
  body: unknown;
  /** How the same request can be answered again. */
  repeatable?: Repeatable | null;
}

/**
 * Sends a handler's answer. Throws when the contract does not declare the answer; the compiler catches most of these. A
 * stream that is not read to its end is destroyed, and its source then gives back the rows that were not sent.
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
    // `pipeline` does not destroy the stream when the client left before it began.
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
  const coding = codingFor(request);
  const json = declared.media === "application/json" ? await encodedJson(answer.body, coding) : null;
  // Nothing below may throw: a problem answer would carry the headers that are set here.
  setHeaders(response, declared.headers, answer.headers ?? {});
  response.status(answer.status);
  if (operation.method === "GET") response.setHeader("Vary", "Accept-Encoding");
  // A strong tag names one byte sequence. An answer that may be compressed gets a weak one.
  const tag = response.getHeader("ETag");
  if (coding !== null && tag !== undefined)
    response.setHeader("ETag", `W/${String(tag).replace(/^W\//, "")}`);
  if (json !== null) {
    response.setHeader("Content-Type", "application/json");
    endWith(response, json);
  } else if (declared.media === "text/csv") {
    await sendCsv(request, response, answer.body as Readable, coding);
  } else {
    response.end();
  }
}

/** Ends an answer with these bytes, compressed as its client prefers. */
export const sendBytes = async (request: Request, response: Response, bytes: Buffer): Promise<void> =>
  endWith(response, await encoded(bytes, codingFor(request)));

interface Encoded {
  bytes: Buffer;
  coding: Coding | null;
}

function endWith(response: Response, { bytes, coding }: Encoded): void {
  response.setHeader("Content-Length", bytes.length);
  if (coding !== null) response.setHeader("Content-Encoding", coding);
  response.end(bytes);
}

const encodedJson = (body: unknown, coding: Coding | null): Promise<Encoded> => encoded(jsonOf(body), coding);

async function encoded(bytes: Buffer, coding: Coding | null): Promise<Encoded> {
  if (coding === null || bytes.length <= LARGEST_PLAIN_BYTES) return { bytes, coding: null };
  return { bytes: await compressed(bytes, coding), coding };
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

// When the stream fails, the connection is destroyed. Without the last chunk, the client knows that rows are missing.
async function sendCsv(
  request: Request,
  response: Response,
  body: Readable,
  coding: Coding | null,
): Promise<void> {
  response.setHeader("Content-Type", "text/csv; charset=utf-8");
  if (coding !== null) response.setHeader("Content-Encoding", coding);
  // HTTP/1.0 has no chunks: a connection that closes normally means that the file is complete.
  if (request.httpVersion === "1.0") body.once("error", () => response.socket?.resetAndDestroy());
  if (request.method === "HEAD") {
    response.end();
    return;
  }
  waitPatiently(request, response);
  if (coding !== null) {
    await pipeline(body, compressor(coding), response);
  } else {
    response.on("drain", () => {
      // An answer that was queued on the connection can drain while its bytes still wait in the socket.
      if (body instanceof ExportStream && response.writableLength === 0) body.reuse();
    });
    await pipeline(body, response);
  }
}
