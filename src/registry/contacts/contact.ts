import { cleanText } from "../registry-text.ts";

const NOT_DIGITS = /\D/g;
const ONE_DIGIT_ONLY = /^(\d)\1*$/;

/**
 * A phone number as its 10 digits, a leading 1 of the country dropped; null when it cannot be one: an area code or
 * exchange that begins with 0 or 1 (so 1112223333, 1234567890 and all that end in 0000000 too), or one digit only.
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

/** An e-mail address in lower case; null for what is not exactly one plausible address. */
export function readEmail(raw: string | undefined): string | null {
  const text = cleanText(raw)?.toLowerCase() ?? null;
  return text !== null && text.length <= LONGEST_EMAIL && EMAIL.test(text) ? text : null;
}

/** The text with each word that holds an e-mail address replaced: people's addresses stand in the registry's reasons. */
export function withoutEmails(text: string): string {
  if (!text.includes("@")) return text;
  const words = text.split(" ").map((word) => (word.includes("@") ? "[e-mail removed]" : word));
  return words.join(" ");
}
