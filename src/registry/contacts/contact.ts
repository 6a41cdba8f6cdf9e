import { cleanText } from "../registry-text.ts";

const NOT_DIGITS = /\D/g;
const ONE_DIGIT_ONLY = /^(\d)\1*$/;

/**
 * A phone number as 10 digits, without the country's leading 1. Null for an impossible number: only one repeated digit,
 * or an area code or exchange that begins with 0 or 1, as in 1112223333, 1234567890 and all that end in 0000000.
 */
export function readPhone(raw: string | undefined): string | null {
  if (raw === undefined || raw === "") return null;
  let digits = raw.replace(NOT_DIGITS, "");
  if (digits.length === 11 && digits.startsWith("1")) digits = digits.slice(1);
  if (digits.length !== 10 || digits < "2" || (digits[3] ?? "") < "2") return null;
  return ONE_DIGIT_ONLY.test(digits) ? null : digits;
}

const EMAIL = /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,24}$/;
const LONGEST_EMAIL = 254;

/** An e-mail address in lower case; null when the text is not exactly one plausible address. */
export function readEmail(raw: string | undefined): string | null {
  const text = cleanText(raw)?.toLowerCase() ?? null;
  return text !== null && text.length <= LONGEST_EMAIL && EMAIL.test(text) ? text : null;
}

/** The text with each word that contains an e-mail address replaced: the registry's reasons contain people's addresses. */
export function withoutEmails(text: string): string {
  if (!text.includes("@")) return text;
  const words = text.split(" ").map((word) => (word.includes("@") ? "[e-mail removed]" : word));
  return words.join(" ");
}
