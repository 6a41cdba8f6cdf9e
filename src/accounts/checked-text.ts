import { OperatorError } from "../platform/operator-error.ts";
import { isPlainText } from "../platform/plain-text.ts";

/** A typed name, trimmed. Throws OperatorError if it is empty, too long, or has characters that a log must not show. */
export function checkedText(label: string, text: string, maxLength: number): string {
  const trimmed = text.trim();
  if (trimmed !== "" && [...trimmed].length <= maxLength && isPlainText(trimmed)) return trimmed;
  throw new OperatorError(
    `The ${label} must have 1 to ${maxLength} characters and no line breaks or control characters.`,
  );
}
