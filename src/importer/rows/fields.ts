// The fields that the tables of official files are made of.
import { type LimitedText, textLimits } from "../../generated/text-limits.ts";
import { withoutEmails } from "../../registry/contacts/contact.ts";
import { isPostalState, UNKNOWN_COUNTRY } from "../../registry/places/state-codes.ts";
import {
  cleanCapitals,
  cleanText,
  isUnreadableCount,
  readCount,
  readStateCode,
} from "../../registry/registry-text.ts";
import { OTHER_UNIT, readAmount, UNREADABLE } from "../../registry/vocabularies/senses.ts";
import { UNKNOWN } from "../../registry/vocabularies/vocabularies.ts";
import { remembered } from "./coded-values.ts";
import { type Field, fieldOf } from "./official-file.ts";
import { REASONS, repair, type Tally } from "./tally.ts";

type Cell = string | number | null;

/** The docket of the row's key. */
export const docket: Field = {
  columns: [],
  open:
    ({ row }) =>
    (line) =>
      line.cell(row.docket),
};

/** The USDOT number of the row's key. */
export const usdot: Field = {
  columns: [],
  open:
    ({ row }) =>
    (line) =>
      line.cell(row.usdot),
};

/** The cleaned text. */
export const text = (column: string): Field => fieldOf(column, (index) => (line) => line.text(index));

/** The cleaned text in capitals. */
export const capitals = (column: string): Field => fieldOf(column, (index) => (line) => line.capitals(index));

/** The value that `read` makes of the raw text. */
export const value = (column: string, read: (raw: string) => Cell): Field =>
  fieldOf(column, (index) => (line) => line.cell(read(line.field(index))));

/** The same field, of a coded column: counts the meanings of its values, and the unknown ones. */
export const coded = (field: Field): Field => ({
  ...field,
  open: (reading) => {
    const [column = ""] = field.columns;
    const index = reading.at(column);
    const meaning = reading.coded.of(column);
    const write = field.open(reading);
    return (line) => {
      meaning(line.field(index));
      write(line);
    };
  },
});

/** Of such a text no part says anything: one that is too long becomes null. */
const INDIVISIBLE: readonly LimitedText[] = ["zip", "email"];

/** Makes a text as long as the contract lets `shown` be, in whole characters, and counts what it makes shorter. */
export function shortener(shown: LimitedText, tally: Tally): (text: string | null) => string | null {
  const most = textLimits[shown];
  const isCut = !INDIVISIBLE.includes(shown);
  return (text) => {
    if (text === null || text.length <= most) return text;
    const characters = [...text];
    if (characters.length <= most) return text;
    repair(
      tally,
      isCut ? "text longer than its column, cut" : "ZIP code or e-mail longer than its column, left out",
    );
    return isCut ? characters.slice(0, most).join("").trimEnd() : null;
  };
}

/** The text that `read` makes of the raw text, as long as `shown` may be. */
export const shownValue = (column: string, shown: LimitedText, read: (raw: string) => string | null): Field =>
  fieldOf(column, (index, { tally }) => {
    const shorten = shortener(shown, tally);
    return (line) => line.cell(shorten(read(line.field(index))));
  });

/** The cleaned text, as long as `shown` may be. Hardly any text is read for that. */
export const shownAs = (column: string, shown: LimitedText): Field =>
  fieldOf(column, (index, { tally }) => {
    const [most, shorten] = [textLimits[shown], shortener(shown, tally)];
    return (line) => {
      if (line.mayBeLonger(index, most)) line.cell(shorten(cleanText(line.field(index))));
      else line.text(index);
    };
  });

/** The text without the addresses of people. */
export const shownText = (text: string | null): string | null => text && withoutEmails(text);

/** The coded wording of a reason. */
export const reason = (column: string, shown: LimitedText): Field =>
  coded(shownValue(column, shown, (raw) => shownText(cleanText(raw))));

/** The value that `read` makes of the meaning of a coded column; of "" if the column is blank. */
export const meaning = (column: string, read: (meaning: string) => Cell): Field =>
  fieldOf(column, (index, { coded }) => {
    const meaningOf = coded.of(column);
    return (line) => line.cell(read(line.isBlank(index) ? "" : meaningOf(line.field(index))));
  });

/** Whether a coded column means yes; null for an unknown value, which says neither. */
export const flagIfKnown = (column: string): Field => flag(column, UNKNOWN);

/** Whether a coded column means yes; null if it means `nothing`. */
export const flag = (column: string, nothing?: string): Field =>
  fieldOf(column, (index, { coded }) => {
    const meaningOf = coded.of(column);
    return (line) => line.flag(index, meaningOf, nothing);
  });

/** The same field, of columns that a file may lack. */
export const optional = (field: Field): Field => ({ ...field, isOptional: true });

type AmountColumn = `${string}_AMOUNT` | "BIPD_FILE";

/**
 * Dollars, such as `750000`, `750,000.00` or `0E-18`. Any other amount, and one that is plausible only in another unit,
 * is unknown: it becomes null and is counted.
 */
export const dollars = (column: AmountColumn, unit = 1): Field =>
  fieldOf(column, (index, { coded, dataset, tally }) => {
    const read = remembered((raw) => readAmount(raw, `${dataset}.${column}`, unit));
    return (line) => {
      if (line.isBlank(index)) return line.cell(null);
      const raw = line.field(index);
      const amount = read(raw);
      if (amount === UNREADABLE) {
        repair(tally, "unreadable amount");
        coded.countUnknown(column, raw);
      } else if (amount === OTHER_UNIT) {
        repair(tally, "amount in another unit");
        coded.countOtherUnit(column);
      }
      line.cell(typeof amount === "number" ? amount : null);
    };
  });

/** Dollars from the legacy registry's thousands of dollars, zero-padded (`00750`) or not. */
export const thousands = (column: AmountColumn): Field => dollars(column, 1000);

/** A whole number up to `most`. One that has no form of a number is unknown, and counted. */
export const wholeNumber = (column: string, most: number): Field =>
  fieldOf(column, (index, { coded }) => {
    return (line) => {
      const raw = line.field(index);
      const count = readCount(raw, most);
      if (count === null && isUnreadableCount(raw)) coded.countUnknown(column, raw);
      line.cell(count);
    };
  });

/** The country in capitals. It is unknown where it is the US, or blank, and the state is none of the US. */
export const country = (column: string, stateColumn: string): Field => ({
  columns: [column, stateColumn],
  open: ({ at, coded, tally }) => {
    const [countryAt, stateAt] = [at(column), at(stateColumn)];
    const meaningOfCountry = coded.of(column);
    return (line) => {
      const means = meaningOfCountry(line.field(countryAt));
      const state = readStateCode(line.field(stateAt));
      if (means !== "us" || state === null || isPostalState(state)) return line.capitals(countryAt);
      repair(tally, "state outside its country, the US");
      line.cell(UNKNOWN_COUNTRY);
    };
  },
});

/** A policy's number as written, and its letters and digits for comparisons: files differ in blanks and dashes. */
export const policyNumber = {
  policy_no: value("POLICY_NO", cleanText),
  policy_key: value("POLICY_NO", (raw) => (cleanText(raw) ?? "").toUpperCase().replace(/[^A-Z0-9]/g, "")),
};

/** The wording of an authority's type. */
export const authorityType: Field = value("OP_AUTH_TYPE", (raw) => cleanText(raw) ?? "");

/** The class of an authority in Motus. Wordings that name no known class are counted. */
export const motusClass: Field = fieldOf("OP_AUTH_TYPE", (index, { coded, tally }) => {
  const classOf = coded.of("OP_AUTH_TYPE");
  return (line) => {
    const authorityClass = classOf(cleanText(line.field(index)) ?? "");
    if (authorityClass === UNKNOWN) repair(tally, "unknown authority type");
    line.cell(authorityClass);
  };
});

/** The status of an authority in Motus, in lower case. New words are counted and kept; a blank becomes `unknown`. */
export const motusStatus: Field = fieldOf("OP_AUTH_STATUS", (index, { coded, tally }) => {
  const statusOf = coded.of("OP_AUTH_STATUS");
  const wording = remembered((raw) => cleanText(raw)?.toLowerCase() ?? UNKNOWN);
  return (line) => {
    const raw = line.field(index);
    const status = statusOf(raw);
    const word = status === UNKNOWN ? wording(raw) : status;
    if (status === UNKNOWN) repair(tally, word === UNKNOWN ? REASONS.noStatus : REASONS.unknownStatus);
    line.cell(word);
  };
});

/** The text in capitals that is `unless` if the field is blank, which is counted for `reason`. */
export const capitalsOr = (column: string, unless: string, reason: string): Field =>
  fieldOf(column, (index, { tally }) => {
    return (line) => {
      const word = cleanCapitals(line.field(index));
      if (word === null) repair(tally, reason);
      line.cell(word ?? unless);
    };
  });
