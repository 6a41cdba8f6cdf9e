import { OperatorError } from "../platform/operator-error.ts";

/** A name someone typed, trimmed. OperatorError when it is empty, too long, or holds what a screen or log must not show. */
export function checkedText(label: string, text: string, maxLength: number): string {
  const trimmed = text.trim();
  const isClean = trimmed.isWellFormed() && !/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(trimmed);
  if (trimmed.length > 0 && trimmed.length <= maxLength && isClean) return trimmed;
  throw new OperatorError(
    `The ${label} must have 1 to ${maxLength} characters and no line breaks or control characters.`,
  );
}
