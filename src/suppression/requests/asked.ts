import type { components } from "../../generated/types.ts";
import { InvalidRequestError } from "../../platform/http/invalid-request.ts";
import { ProblemError } from "../../platform/http/problem.ts";
import { isMailAddress } from "../../platform/mail/address.ts";
import { docketOf, emailOf, phoneOf, plainText, usdotOf } from "../spellings.ts";

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

/** A mistake in a request, told to the person who typed it. */
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
const LONGEST_DETAILS = 2000;

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
