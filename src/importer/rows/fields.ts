// The fields that the tables of official files are made of.
import { withoutEmails } from "../../registry/contacts/contact.ts";
import { cleanCapitals, cleanText } from "../../registry/registry-text.ts";
import { UNKNOWN } from "../../registry/vocabularies/vocabularies.ts";
import { remembered } from "./coded-values.ts";
import { type Field, fieldOf } from "./official-file.ts";
import { REASONS, repair } from "./tally.ts";

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

/** The text without the addresses of people. */
export const shownText = (text: string | null): string | null => text && withoutEmails(text);

/** The coded wording of a reason. */
export const reason = (column: string): Field => coded(value(column, (raw) => shownText(cleanText(raw))));

/** The value that `read` makes of the meaning of a coded column; of "" if the column is blank. */
export const meaning = (column: string, read: (meaning: string) => Cell): Field =>
  fieldOf(column, (index, { coded }) => {
    const meaningOf = coded.of(column);
    return (line) => line.cell(read(line.isBlank(index) ? "" : meaningOf(line.field(index))));
  });

/** Whether a coded column means yes. */
export const flag = (column: string): Field =>
  fieldOf(column, (index, { coded }) => {
    const meaningOf = coded.of(column);
    return (line) => line.flag(index, meaningOf);
  });

/** The same field, of columns that a file may lack. */
export const optional = (field: Field): Field => ({ ...field, isOptional: true });

const AMOUNT = /^\d+(\.\d+)?(E[+-]?\d{1,3})?$/i;
/** Far above any real coverage: larger amounts are typing mistakes. */
const LARGEST_DOLLARS = 1e12;

type AmountColumn = `${string}_AMOUNT` | "BIPD_FILE";

/** Dollars, such as `750000`, `750000.000000` or `0E-18`. An invalid amount becomes null and is counted. */
export const dollars = (column: AmountColumn, unit = 1): Field =>
  fieldOf(column, (index, { tally }) => {
    return (line) => {
      const amount = cleanText(line.field(index));
      const sum = amount !== null && AMOUNT.test(amount) ? Number(amount) * unit : Number.NaN;
      const isReadable = sum <= LARGEST_DOLLARS;
      if (amount !== null && !isReadable) repair(tally, "unreadable amount");
      line.cell(isReadable ? sum : null);
    };
  });

/** Dollars from the legacy registry's thousands of dollars, zero-padded (`00750`) or not. */
export const thousands = (column: AmountColumn): Field => dollars(column, 1000);

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
