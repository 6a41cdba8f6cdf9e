declare const shape: unique symbol;

/** A T as finished JSON text, which is sent as it is. */
export interface JsonText<T> {
  readonly json: Buffer;
  readonly [shape]?: T;
}

/** Marks finished JSON as a T. The caller is responsible for the type. */
export const jsonText = <T>(json: Buffer): JsonText<T> => ({ json });

/** JSON text that is written, and such that is there as bytes and need not be decoded. */
export type JsonPiece = string | Buffer;

/** The pieces one after the other. */
export function joinJson(pieces: readonly JsonPiece[]): Buffer {
  const parts: Buffer[] = [];
  let text = "";
  // Texts that follow each other are encoded at once: that costs more for each than for its bytes.
  for (const piece of pieces) {
    if (typeof piece === "string") text += piece;
    else {
      parts.push(Buffer.from(text), piece);
      text = "";
    }
  }
  return Buffer.concat([...parts, Buffer.from(text)]);
}

/** Whether a body is finished JSON. */
export const isJsonText = (body: unknown): body is JsonText<unknown> =>
  typeof body === "object" && body !== null && "json" in body && Buffer.isBuffer(body.json);

/** The JSON of a body. */
export const jsonOf = (body: unknown): Buffer =>
  isJsonText(body) ? body.json : Buffer.from(JSON.stringify(body));
