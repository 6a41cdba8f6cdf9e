/**
 * Whether a text is safe to show in one line: it has no line breaks, control characters or marks that change its direction,
 * and does not consist of characters that nobody sees.
 */
export const isPlainText = (text: string): boolean =>
  text.isWellFormed() && !/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(text) && !UNSEEN.test(text);

const UNSEEN = /^\s*\p{Default_Ignorable_Code_Point}[\s\p{Default_Ignorable_Code_Point}]*$/u;

/** A text with its first letter as a capital. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
