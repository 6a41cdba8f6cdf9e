declare const shape: unique symbol;

/** A T as finished JSON text, which is sent as it is. */
export interface JsonText<T> {
  readonly json: Buffer;
  readonly [shape]?: T;
}

/** Marks finished JSON as a T. The caller is responsible for the type. */
export const jsonText = <T>(json: Buffer): JsonText<T> => ({ json });

/** Whether a body is finished JSON. */
export const isJsonText = (body: unknown): body is JsonText<unknown> =>
  typeof body === "object" && body !== null && "json" in body && Buffer.isBuffer(body.json);

/** The JSON of a body. */
export const jsonOf = (body: unknown): Buffer =>
  isJsonText(body) ? body.json : Buffer.from(JSON.stringify(body));
