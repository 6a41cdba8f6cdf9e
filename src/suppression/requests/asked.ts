import type { components } from "../../generated/types.ts";
import { InvalidRequestError } from "../../platform/http/invalid-request.ts";
import { ProblemError } from "../../platform/http/problem.ts";
import { isMailAddress } from "../../platform/mail/address.ts";
import { docketOf, emailOf, phoneOf, plainText, usdotOf } from "../spellings.ts";

export type OptOutIn = components["schemas"]["OptOutIn"];
type Field = keyof OptOutIn;

export type IdentifierKind = "usdot" | "docket" | "phone" | "email";

/** Something that identifies businesses, in the form the registry's tables hold. */
export interface Identifier {
  kind: IdentifierKind;
  value: string;
}

/** A removal request as it was read. */
export interface AskedRemoval {
  identifiers: Identifier[];
  requesterEmail: string | null;
  details: string | null;
}

/** What is wrong with a request, for whoever typed it. */
export interface Mistake {
  /** Null: with the request as a whole. */
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

/** Reads what was sent; a text of blanks is none. */
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
    mistakes.push({ field: "requester_email", message: "This is no e-mail address that we could write to." });
  }
  const details = isGiven(sent.details) ? storable(sent.details) : null;
  // Characters as people count them and the contract does; a string's length counts some of them twice.
  if ([...(details ?? "")].length > LONGEST_DETAILS) {
    mistakes.push({ field: "details", message: `This may have at most ${LONGEST_DETAILS} characters.` });
  }
  return { asked: { identifiers, requesterEmail, details }, mistakes };
}

/** The request; InvalidRequestError, ProblemError missing_identifier or invalid_identifier where it is none. */
export function requireAsked(sent: OptOutIn): AskedRemoval {
  const { asked, mistakes } = readAsked(sent);
  const misfits = mistakes.filter(({ field }) => field === "requester_email" || field === "details");
  if (misfits.length > 0) {
    throw new InvalidRequestError(
      misfits.map(({ field, message }) => ({ loc: ["body", String(field)], msg: message, type: "pattern" })),
    );
  }
  const wrong = mistakes.filter(({ field }) => field !== null);
  // What was typed is not repeated: it may be personal, and answers are logged on their way.
  const sentences = wrong.map(({ field, message }) => `${field} cannot be read. ${message}`);
  if (wrong.length > 0) throw new ProblemError("invalid_identifier", sentences.join(" "));
  if (mistakes.length > 0) throw new ProblemError("missing_identifier", NOTHING_GIVEN);
  return asked;
}

const isGiven = (sent: string | null | undefined): sent is string => plainText(sent ?? "") !== "";

/** Without what a database cannot store and a screen should not show; it may have several lines. */
const storable = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[^\P{Cc}\n\t]/gu, "")
    .trim();
