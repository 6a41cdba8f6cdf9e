import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import type { components } from "../generated/types.ts";
import { InvalidRequestError } from "../platform/http/invalid-request.ts";
import { ProblemError } from "../platform/http/problem.ts";
import { isMailAddress } from "../platform/mail/address.ts";
import { readEmail, readPhone } from "../registry/contacts/contact.ts";

// Converts what people write to the spelling of the registry's tables. An unclear text gives null, never a guess: a wrong
// number would remove another business.

/** The text trimmed, without invisible characters; full-width and other compatibility characters become plain ones. */
const plainText = (text: string): string =>
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

/** A North American phone number in any spelling, with or without extension, as its 10 digits, or null. */
export function phoneOf(text: string): string | null {
  // Callers from abroad write 00 instead of the plus.
  const phone = parsePhoneNumberFromString(plainText(text).replace(/^00(?=\D*1)/, "+"), "US");
  if (phone === undefined || phone.countryCallingCode !== "1") return null;
  const digits: string = phone.nationalNumber;
  if (readPhone(digits) !== digits) return null;
  // Of two numbers the library reads the first only; then neither can be trusted.
  const written = plainText(text).replace(/\D/g, "");
  const isWhole = new RegExp(`^(?:1|001|0111)?${digits}${phone.ext ?? ""}$`).test(written);
  return isWhole ? digits : null;
}

/** An e-mail address in lower case, also of `mailto:name@company.example` and `Name <name@company.example>`. */
export function emailOf(text: string): string | null {
  const written = plainText(text).toLowerCase();
  const [, named] = /^[^<>@]*<([^<>]+)>$/.exec(written) ?? [];
  const address = (named ?? written)
    .replace(/^mailto: ?/, "")
    .replace(/(?<=@.*)\?.*$/, "")
    .trim();
  return readEmail(address);
}

export type OptOutIn = components["schemas"]["OptOutIn"];
type Field = keyof OptOutIn;

export type IdentifierKind = "usdot" | "docket" | "phone" | "email";

/** Identifies businesses, in the spelling of the registry's tables. */
export interface Identifier {
  kind: IdentifierKind;
  value: string;
}

/** A parsed removal request. */
export interface AskedRemoval {
  identifiers: Identifier[];
  requesterEmail: string | null;
  details: string | null;
}

/** A mistake in a request, shown to the person who typed it. */
export interface Mistake {
  /** Null if the mistake is not in one field. */
  field: Field | null;
  /** A sentence. */
  message: string;
}

const READERS: [
  field: Field,
  kind: IdentifierKind,
  read: (text: string) => string | null,
  message: string,
][] = [
  ["usdot", "usdot", usdotOf, "A USDOT number has 1 to 8 digits, for example 1234567."],
  [
    "mc",
    "docket",
    docketOf,
    "An MC number has up to 8 digits, for example MC-123456; FF and MX numbers do too.",
  ],
  [
    "phone",
    "phone",
    phoneOf,
    "A US phone number has ten digits, for example 512-555-0100; give one number only.",
  ],
  ["email", "email", emailOf, "An e-mail address looks like name@company.com; give one address only."],
];

const NOTHING_GIVEN = "Give at least one of usdot, mc, phone and email.";
/** Details have at most this many characters. */
export const LONGEST_DETAILS = 2000;

/** Parses a request. A blank text counts as not given. */
export function readAsked(sent: OptOutIn): { asked: AskedRemoval; mistakes: Mistake[] } {
  const mistakes: Mistake[] = [];
  const given = READERS.filter(([field]) => isGiven(sent[field]));
  const identifiers = given.flatMap(([field, kind, read, message]): Identifier[] => {
    const value = read(sent[field] ?? "");
    if (value !== null) return [{ kind, value }];
    mistakes.push({ field, message });
    return [];
  });
  if (given.length === 0) mistakes.push({ field: null, message: NOTHING_GIVEN });
  const requesterEmail = isGiven(sent.requester_email) ? sent.requester_email.trim() : null;
  if (requesterEmail !== null && !isMailAddress(requesterEmail)) {
    mistakes.push({
      field: "requester_email",
      message: "This is not an e-mail address that we can write to.",
    });
  }
  const details = isGiven(sent.details) ? storable(sent.details) : null;
  // Code points, as the contract counts them: a string's length counts some characters twice.
  if ([...(details ?? "")].length > LONGEST_DETAILS) {
    mistakes.push({ field: "details", message: `This may have at most ${LONGEST_DETAILS} characters.` });
  }
  return { asked: { identifiers, requesterEmail, details }, mistakes };
}

/** The parsed request. Throws InvalidRequestError, ProblemError missing_identifier or invalid_identifier for a wrong one. */
export function requireAsked(sent: OptOutIn): AskedRemoval {
  const { asked, mistakes } = readAsked(sent);
  const otherMistakes = mistakes.filter(({ field }) => field === "requester_email" || field === "details");
  if (otherMistakes.length > 0) {
    throw new InvalidRequestError(
      otherMistakes.map(({ field, message }) => ({
        loc: ["body", String(field)],
        msg: message,
        type: "pattern",
      })),
    );
  }
  const wrong = mistakes.filter(({ field }) => field !== null);
  // The answer does not repeat the typed text: it may be personal, and proxies log answers.
  const sentences = wrong.map(({ field, message }) => `${field} cannot be read. ${message}`);
  if (wrong.length > 0) throw new ProblemError("invalid_identifier", sentences.join(" "));
  if (mistakes.length > 0) throw new ProblemError("missing_identifier", NOTHING_GIVEN);
  return asked;
}

const isGiven = (sent: string | null | undefined): sent is string => plainText(sent ?? "") !== "";

/** Without characters that a database cannot store or a screen should not show. Line breaks stay. */
const storable = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[^\P{Cc}\n\t]/gu, "")
    .trim();
