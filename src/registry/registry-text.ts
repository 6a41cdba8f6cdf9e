const BLANK = 32;

/**
 * Cleans a field: trims it, and replaces each run of blanks, line breaks and control characters by one blank. Null if
 * nothing is left, since the registry writes both `""` and `" "` for no value.
 */
export function cleanText(raw: string | undefined): string | null {
  if (raw === undefined || raw === "") return null;
  let previous = BLANK;
  for (let index = 0; index < raw.length; index += 1) {
    const code = raw.charCodeAt(index);
    // Most fields are clean ASCII. Only the others need the slower function.
    if (code < BLANK || code > 126 || (code === BLANK && previous === BLANK)) return cleanThoroughly(raw);
    previous = code;
  }
  return previous === BLANK ? cleanThoroughly(raw) : raw;
}

function cleanThoroughly(raw: string): string | null {
  // Direction marks reverse the text that is shown after them.
  const unturned = raw.replace(/[\u202a-\u202e\u2066-\u2069]/g, "");
  const text = unturned.replace(/[\s\p{Cc}\u200b\u2060]+/gu, " ").trim();
  return text === "" ? null : text;
}

/** The cleaned text in capitals, for codes and fixed wordings. */
export function cleanCapitals(raw: string | undefined): string | null {
  return cleanText(raw)?.toUpperCase() ?? null;
}

/** The number in a text of 1 to 9 digits, the usual form in the registry; -1 for any other text. */
export function plainNumber(raw: string): number {
  if (raw.length === 0 || raw.length > 9) return -1;
  let number = 0;
  for (let index = 0; index < raw.length; index += 1) {
    const digit = raw.charCodeAt(index) - 48;
    if (digit < 0 || digit > 9) return -1;
    number = 10 * number + digit;
  }
  return number;
}

const isCapital = (code: number): boolean => code >= 65 && code <= 90;

/** A two-letter code of a state or province in capitals; null for anything else. */
export function readStateCode(raw: string | undefined): string | null {
  if (raw?.length === 2 && isCapital(raw.charCodeAt(0)) && isCapital(raw.charCodeAt(1))) return raw;
  const code = cleanCapitals(raw);
  return code !== null && /^[A-Z]{2}$/.test(code) ? code : null;
}

/** A whole number from 0 to `max`; null for a larger number or no number. */
export function readCount(raw: string | undefined, max: number): number | null {
  if (raw === undefined || raw === "") return null;
  const plain = plainNumber(raw);
  if (plain >= 0) return plain <= max ? plain : null;
  const [, digits] = WHOLE_NUMBER.exec(cleanText(raw) ?? "") ?? [];
  const count = digits === undefined ? Number.NaN : Number(digits);
  return count <= max ? count : null;
}

/** `4.0` is 4. */
const WHOLE_NUMBER = /^(\d{1,9})(?:\.0*)?$/;

/** Whether a text is neither blank nor a whole number, not even one that is far too large. */
export const isUnreadableCount = (raw: string): boolean =>
  plainNumber(raw) < 0 && !/^(\d+(\.0*)?)?$/.test(cleanText(raw) ?? "");

/** The result of `readDate` for an impossible date. */
export const CORRUPT_DATE = "corrupt";

/** The registry has no older dates. An earlier year, such as 0189, is a typing mistake. */
export const EARLIEST_DATE = "1935-01-01";

/**
 * Reads a registry date as YYYY-MM-DD from `MM/DD/YYYY` (legacy), `YYYYMMDD` with or without a time after it (Motus,
 * census), or ISO. Null if blank; CORRUPT_DATE if it is no date, before EARLIEST_DATE or after `latest`.
 */
export function readDate(raw: string | undefined, latest: string): string | null {
  const text = cleanText(raw);
  if (text === null) return null;
  const date = isoDate(text);
  return date !== null && date >= EARLIEST_DATE && date <= latest ? date : CORRUPT_DATE;
}

const FORMS = {
  "/": /^(?<month>\d{1,2})\/(?<day>\d{1,2})\/(?<year>\d{4})$/,
  "-": /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?:[T ].*)?$/,
  "": /^(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})(?: \d{4,6})?$/,
};

/** The form in which a date is written. */
export type DateForm = "YYYYMMDD" | "MM/DD/YYYY" | "ISO";
/** Not a date in any known form. */
export const UNREADABLE_DATE = "unreadable";
/** An impossible date: not in the calendar, too early or too late. */
export const IMPOSSIBLE_DATE = "impossible";

/** The form in which a date is written; null for a blank field. */
export function dateForm(
  raw: string | undefined,
  latest: string,
): DateForm | typeof UNREADABLE_DATE | typeof IMPOSSIBLE_DATE | null {
  const date = readDate(raw, latest);
  if (date === null) return null;
  const text = cleanText(raw) ?? "";
  // Eight digits have the form of a date even if the day does not exist. Zeros mean no date.
  const hasForm = isoDate(text) !== null || /^\d{8}$/.test(text) || /^[0/-]+$/.test(text);
  if (date === CORRUPT_DATE) return hasForm ? IMPOSSIBLE_DATE : UNREADABLE_DATE;
  if (text.includes("/")) return "MM/DD/YYYY";
  return text[4] === "-" ? "ISO" : "YYYYMMDD";
}

function isoDate(text: string): string | null {
  const form = text.includes("/") ? FORMS["/"] : text[4] === "-" ? FORMS["-"] : FORMS[""];
  const { year = "", month = "", day = "" } = form.exec(text)?.groups ?? {};
  const isDay = year !== "" && Number(day) >= 1 && Number(day) <= daysInMonth(Number(year), Number(month));
  return isDay ? `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}` : null;
}

/** 0 for a month that does not exist. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  if (month < 1 || month > 12) return 0;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
