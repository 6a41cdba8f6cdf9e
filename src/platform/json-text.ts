declare const shape: unique symbol;

/** A JSON document that is finished text already, of a value shaped like T; it is sent as it is. */
export interface JsonText<T> {
  readonly json: Buffer;
  readonly [shape]?: T;
}

/** Marks finished JSON, whose writer vouches for its being a T. */
export const jsonText = <T>(json: Buffer): JsonText<T> => ({ json });

/** Tells finished JSON from a value that has still to be turned into text. */
export const isJsonText = (body: unknown): body is JsonText<unknown> =>
  typeof body === "object" && body !== null && "json" in body && Buffer.isBuffer(body.json);
