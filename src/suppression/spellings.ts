import { parsePhoneNumberFromString } from "libphonenumber-js/max";

// Converts what people write to the spelling of the registry's tables. An unclear text gives null, never a guess: a wrong
// number would remove another business.

/** The text trimmed, without invisible characters; full-width and other compatibility characters become plain ones. */
export const plainText = (text: string): string =>
  text
    .normalize("NFKC")
    .replace(/[\p{Cf}\p{Cc}\p{Z}]+/gu, (run) => (/[^\p{Cf}]/u.test(run) ? " " : ""))
    .trim();

/** In capitals, with one space between words instead of signs, and numbers without thousands separators. */
const words = (text: string): string =>
  plainText(text)
    .toUpperCase()
    .replace(/(?<![\d,])\d{1,3}(?:,\d{3})+(?![\d,])/g, (grouped) => grouped.replaceAll(",", ""))
    .replace(/[\p{P}\p{S}\p{Z}]+/gu, " ")
    .trim();

const USDOT = /^(?:U ?S ?)?(?:D ?O ?T ?)?(?:NUMBER|NUM|NO|NR)? ?0*([1-9]\d{0,7})$/;
const DOCKET = /^(?:ICC ?)?(?:DOCKET ?)?(M ?C|F ?F|M ?X)? ?(?:NUMBER|NUM|NO|NR)? ?0*([1-9]\d{0,7})$/;

/** A USDOT number such as `1234567`, `USDOT 1234567` or `US DOT#: 0001234567`, or null. */
export const usdotOf = (text: string): string | null => USDOT.exec(words(text))?.[1] ?? null;

/** A docket such as `MC-123456`, `mc 0123456`, `FF-1234` or `123456` in its one form, `MC123456`, or null. */
export function docketOf(text: string): string | null {
  const [, prefix = "MC", number] = DOCKET.exec(words(text)) ?? [];
  return number === undefined ? null : prefix.replace(" ", "") + number;
}

const AREA_AND_EXCHANGE = /^[2-9]\d\d[2-9]\d{6}$/;
const ONE_DIGIT_ONLY = /^(\d)\1*$/;

/** A North American phone number in any spelling, with or without extension, as its 10 digits, or null. */
export function phoneOf(text: string): string | null {
  // Callers from abroad write 00 instead of the plus.
  const phone = parsePhoneNumberFromString(plainText(text).replace(/^00(?=\D*1)/, "+"), "US");
  if (phone === undefined || phone.countryCallingCode !== "1") return null;
  const digits: string = phone.nationalNumber;
  if (!AREA_AND_EXCHANGE.test(digits) || ONE_DIGIT_ONLY.test(digits)) return null;
  // Of two numbers the library reads the first only; then neither can be trusted.
  const written = plainText(text).replace(/\D/g, "");
  const isWhole = new RegExp(`^(?:1|001|0111)?${digits}${phone.ext ?? ""}$`).test(written);
  return isWhole ? digits : null;
}

const EMAIL = /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,24}$/;
const LONGEST_EMAIL = 254;

/** An e-mail address in lower case, also of `mailto:name@company.example` and `Name <name@company.example>`. */
export function emailOf(text: string): string | null {
  const written = plainText(text).toLowerCase();
  const [, named] = /^[^<>@]*<([^<>]+)>$/.exec(written) ?? [];
  const address = (named ?? written)
    .replace(/^mailto: ?/, "")
    .replace(/(?<=@.*)\?.*$/, "")
    .trim();
  return address.length <= LONGEST_EMAIL && EMAIL.test(address) ? address : null;
}
