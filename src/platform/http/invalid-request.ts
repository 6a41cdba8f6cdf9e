import { isPlainText } from "../plain-text.ts";

/** One item of the contract's ValidationErrors. */
export interface Fault {
  /** First query, path, header or body, then member names and array indexes. */
  loc: (string | number)[];
  msg: string;
  type: string;
}

/** The request does not fit the contract. The API answers 422 with the faults. */
export class InvalidRequestError extends Error {
  override readonly name = "InvalidRequestError";
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super(`${faults.length} faults`);
    this.faults = faults;
  }
}

/** InvalidRequestError when one of these members of a body has line breaks or control characters. */
export function requirePlainTexts(texts: Readonly<Record<string, string>>): void {
  const faults = Object.entries(texts)
    .filter(([, text]) => !isPlainText(text))
    .map(([name]) => controlCharacterIn(name));
  if (faults.length > 0) throw new InvalidRequestError(faults);
}

const controlCharacterIn = (name: string): Fault => ({
  loc: ["body", name],
  msg: "must not contain line breaks or control characters",
  type: "control_character",
});

export const TIME_FORM = "must be a time like 2026-11-21T08:00:00Z";

/** The fault of a text that is no RFC 3339 time. */
export const invalidTime = (...loc: Fault["loc"]): Fault => ({ loc, msg: TIME_FORM, type: "format" });

/** The fault of a cursor that is not of its owner; `msg` says whose cursors the request takes. */
export const unknownCursor = (msg: string, loc: Fault["loc"] = ["query", "cursor"]): Fault => ({
  loc,
  msg,
  type: "unknown_cursor",
});
