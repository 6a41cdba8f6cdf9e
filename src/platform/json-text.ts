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

/** JSON text that is written, and such that is there as bytes and need not be decoded. */
export type JsonPiece = string | Buffer;

/** The pieces one after the other. */
export function joinJson(pieces: readonly JsonPiece[]): Buffer {
  let most = 0;
  // In UTF-8 a unit of a text takes three bytes at most.
  for (const piece of pieces) most += typeof piece === "string" ? 3 * piece.length : piece.length;
  const joined = Buffer.allocUnsafe(most);
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

/** Whether a body is finished JSON. */
export const isJsonText = (body: unknown): body is JsonText<unknown> =>
  typeof body === "object" && body !== null && "json" in body && Buffer.isBuffer(body.json);

/** The JSON of a body. */
export const jsonOf = (body: unknown): Buffer =>
  isJsonText(body) ? body.json : Buffer.from(JSON.stringify(body));
