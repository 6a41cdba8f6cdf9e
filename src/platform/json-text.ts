import { giveBack, lendBytes, SMALLEST_LENT } from "./lent-bytes.ts";

declare const shape: unique symbol;

/** A T as finished JSON text, which is sent as it is. */
export interface JsonText<T> {
  readonly json: Buffer;
  /** To be called once when the bytes were sent and nobody reads them any more. */
  readonly sent?: (() => void) | undefined;
  readonly [shape]?: T;
}

/** Marks finished JSON as a T. The caller is responsible for the type. */
export const jsonText = <T>(json: Buffer, sent?: () => void): JsonText<T> => ({ json, sent });

/** The same of bytes that nobody else has, so that they can be given back when they were sent. Small ones are never lent. */
export const lentJson = <T>(json: Buffer): JsonText<T> =>
  jsonText(json, json.length < SMALLEST_LENT ? undefined : () => giveBack(json));

/** JSON text that is written, and such that is there as bytes and need not be decoded. */
export type JsonPiece = string | Buffer;

/** The pieces one after the other, in bytes for `lentJson`. */
export function joinJson(pieces: readonly JsonPiece[]): Buffer {
  let most = 0;
  // In UTF-8 a unit of a text takes three bytes at most.
  for (const piece of pieces) most += typeof piece === "string" ? 3 * piece.length : piece.length;
  const joined = roomOf(most);
  let end = 0;
  for (const piece of pieces) {
    if (typeof piece === "string") end += joined.write(piece, end);
    else {
      joined.set(piece, end);
      end += piece.length;
    }
  }
  return joined.subarray(0, end);
}

const [LF, COMMA] = [0x0a, 0x2c];

/** Puts a comma in the place of the LF that ends each line of JSON, from there on in the bytes. */
export function linesToList(bytes: Buffer, start = 0): void {
  for (let at = bytes.indexOf(LF, start); at >= 0; at = bytes.indexOf(LF, at + 1)) bytes[at] = COMMA;
}

/** Room for an answer. Node itself has room for many small ones at once. */
const roomOf = (bytes: number): Buffer =>
  bytes < SMALLEST_LENT ? Buffer.allocUnsafe(bytes) : lendBytes(bytes);

/** Whether a body is finished JSON. */
export const isJsonText = (body: unknown): body is JsonText<unknown> =>
  typeof body === "object" && body !== null && "json" in body && Buffer.isBuffer(body.json);

/** A body as finished JSON text. */
export function finishedJson(body: unknown): JsonText<unknown> {
  if (isJsonText(body)) return body;
  const text = JSON.stringify(body);
  const json = roomOf(Buffer.byteLength(text));
  json.write(text);
  return lentJson(json);
}
