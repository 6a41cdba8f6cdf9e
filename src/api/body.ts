import { finished } from "node:stream/promises";
import type { Request } from "express";
import { InvalidRequestError } from "../platform/http/invalid-request.ts";
import { ProblemError } from "../platform/http/problem.ts";

/** A body may have so many bytes, unless `x-body-bytes` of its operation allows more. */
export const LARGEST_BODY_BYTES = 32 * 1024;

/**
 * Reads a JSON body; undefined when there is none. ProblemError unsupported_media_type or payload_too_large;
 * InvalidRequestError when it is not JSON.
 */
export async function readJsonBody(request: Request, mostBytes = LARGEST_BODY_BYTES): Promise<unknown> {
  const refuse = () => {
    throw new ProblemError(
      "unsupported_media_type",
      "Send the body as uncompressed JSON in UTF-8, with the header Content-Type: application/json.",
    );
  };
  const bytes = await readBody(request, { type: JSON_TYPE, mostBytes }, refuse);
  return bytes.length === 0 ? undefined : parseJson(bytes);
}

/** Refuses a body of any type with InvalidRequestError, but for `{}` and `null`, which clients send where there is none. */
export async function refuseBody(request: Request): Promise<void> {
  const fault = { loc: ["body"], msg: "must be left out: this operation takes none", type: "unknown" };
  const refused = () => new InvalidRequestError([fault]);
  const text = (await readBytes(request, LARGEST_BODY_BYTES, refused)).toString("utf8").trim();
  if (!/^(\{\s*\}|null)?$/.test(text)) throw refused();
}

/** Reads the body that a form of this service sent. ProblemError unsupported_media_type or payload_too_large. */
export async function readFormBody(request: Request): Promise<URLSearchParams> {
  const accepted = { type: FORM_TYPE, mostBytes: LARGEST_BODY_BYTES };
  const bytes = await readBody(request, accepted, () => {
    throw new ProblemError("unsupported_media_type", "Send this with the form of this page.");
  });
  return new URLSearchParams(bytes.toString("utf8"));
}

const JSON_TYPE = /^\s*application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;
const FORM_TYPE = /^\s*application\/x-www-form-urlencoded\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/** Reads a body of the given type; empty when there is none. Calls `refuse` when the type is another one. */
async function readBody(
  request: Request,
  { type, mostBytes }: { type: RegExp; mostBytes: number },
  refuse: () => never,
): Promise<Buffer> {
  if (Number(request.get("content-length") ?? 0) > mostBytes) throw tooLarge(mostBytes);
  const isChunked = request.get("transfer-encoding") !== undefined;
  if (!isChunked && Number(request.get("content-length") ?? 0) === 0) return Buffer.alloc(0);
  const encoding = request.get("content-encoding") ?? "identity";
  const isAccepted = type.test(request.get("content-type") ?? "") && encoding.toLowerCase() === "identity";
  if (!isAccepted && !isChunked) refuse();
  // Proxies send chunks of nothing, without a type, for a request without a body.
  const bytes = await readBytes(request, mostBytes, () => tooLarge(mostBytes));
  if (!isAccepted && bytes.length > 0) refuse();
  return bytes;
}

/** Reads a body of any type. Throws what `tooLarge` makes when it has more bytes. */
export async function readBytes(request: Request, mostBytes: number, tooLarge: () => Error): Promise<Buffer> {
  if (Number(request.get("content-length") ?? 0) > mostBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  const isTooLarge = new Promise<void>((resolve) => {
    // It stays: a client that first sends its whole body gets the answer only when the rest is read too.
    request.on("data", (chunk: Buffer) => {
      sizeBytes += chunk.length;
      if (sizeBytes > mostBytes) resolve();
      else chunks.push(chunk);
    });
  });
  await Promise.race([finished(request), isTooLarge]);
  if (sizeBytes > mostBytes) throw tooLarge();
  return Buffer.concat(chunks);
}

const tooLarge = (mostBytes: number): ProblemError =>
  new ProblemError("payload_too_large", `The request body is larger than ${mostBytes} bytes.`);

const UTF8 = new TextDecoder("utf-8", { fatal: true });

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(UTF8.decode(bytes));
  } catch {
    throw new InvalidRequestError([{ loc: ["body"], msg: "is not valid JSON in UTF-8", type: "parse" }]);
  }
}
