import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Request, Response } from "express";
import { ExportStream } from "../feeds/export/export-stream.ts";
import type { DeclaredAnswer, Operation } from "../generated/operations.ts";
import { finishedJson } from "../platform/json-text.ts";
import { waitPatiently } from "./connection/patience.ts";
import { type Coding, codingFor, compressed, compressor } from "./content-coding.ts";
import type { PlainAnswer } from "./contract/pipeline.ts";

/** JSON up to this size is sent uncompressed: compression would hardly save a packet. */
const LARGEST_PLAIN_BYTES = 1024;

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
  const coding = isCompressible(operation, answer) ? codingFor(request) : null;
  const finished = declared.media === "application/json" ? finishedJson(answer.body) : null;
  const json = finished && (await encoded(finished.json, coding));
  // Nothing below may throw: a problem answer would carry the headers that are set here.
  setHeaders(response, declared, answer.headers ?? {});
  response.status(answer.status);
  if (operation.method === "GET") response.setHeader("Vary", "Accept-Encoding");
  // A strong tag names one byte sequence. An answer that may be compressed gets a weak one.
  const tag = response.getHeader("ETag");
  if (coding !== null && tag !== undefined)
    response.setHeader("ETag", `W/${String(tag).replace(/^W\//, "")}`);
  if (json !== null) {
    response.setHeader("Content-Type", "application/json");
    endWith(response, json);
    // Whole or not: a closed answer reads its bytes no more. Their compression has ended.
    if (finished?.sent) response.once("close", finished.sent);
  } else if (answer.body instanceof Readable) {
    response.setHeader("Content-Type", contentTypeOf(declared.media ?? ""));
    await sendFile(request, response, answer.body, coding);
  } else {
    response.end();
  }
}

/** A Parquet file is compressed already, and a range has the bytes of the file as it is. */
const isCompressible = ({ answers }: Operation, { status }: PlainAnswer): boolean =>
  status !== 206 && answers[200]?.media !== "application/vnd.apache.parquet";

/** The content type of an export. That of CSV says more than the contract's media type. */
export const contentTypeOf = (media: string): string =>
  media === "text/csv" ? "text/csv; charset=utf-8" : media;

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

async function encoded(bytes: Buffer, coding: Coding | null): Promise<Encoded> {
  if (coding === null || bytes.length <= LARGEST_PLAIN_BYTES) return { bytes, coding: null };
  return { bytes: await compressed(bytes, coding), coding };
}

function setHeaders(
  response: Response,
  { headers: required, optionalHeaders }: DeclaredAnswer,
  given: NonNullable<PlainAnswer["headers"]>,
): void {
  const names = Object.keys(given).filter((name) => given[name] !== undefined);
  const undeclared = names.filter((name) => !required.includes(name) && !optionalHeaders.includes(name));
  const missing = required.filter((name) => given[name] === undefined);
  if (undeclared.length > 0 || missing.length > 0) {
    throw new Error(`The answer's headers are not the contract's: ${[...undeclared, ...missing].join(", ")}`);
  }
  for (const name of names) response.setHeader(name, given[name] ?? "");
  if (required.includes("ETag")) response.setHeader("Cache-Control", "private, no-cache");
}

// When the stream fails, the connection is destroyed. Without the last chunk, the client knows that rows are missing.
async function sendFile(
  request: Request,
  response: Response,
  body: Readable,
  coding: Coding | null,
): Promise<void> {
  if (coding !== null) {
    response.setHeader("Content-Encoding", coding);
    // Size and ranges are those of the file as it is.
    response.removeHeader("Content-Length");
    response.setHeader("Accept-Ranges", "none");
  }
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
