import { daysInMonth, EARLIEST_DATE } from "../../registry/registry-text.ts";

const [SLASH, DIGIT_0, DIGIT_9] = [47, 48, 57];
const NO_DIGITS = -1_000_000;

/** A day as a compact day, the number of its digits: 20260514. Compact days sort like days. */
export const compactDay = (isoDate: string): number => Number(isoDate.replaceAll("-", ""));

/** A compact day as YYYY-MM-DD. */
export const isoDay = (day: number): string => String(day).replace(/^(....)(..)(..)$/, "$1-$2-$3");

const EARLIEST = compactDay(EARLIEST_DATE);

/**
 * The day in bytes of the form `MM/DD/YYYY` or `YYYYMMDD`, which nearly all dates have. 0 for another form or an
 * impossible day, which have to be read as text. `latest` and the result are compact days.
 */
export function plainDay(block: Buffer, from: number, to: number, latest: number): number {
  let [yearAt, monthAt, dayAt] = [from, from + 4, from + 6];
  if (to - from === 10 && block[from + 2] === SLASH && block[from + 5] === SLASH) {
    [yearAt, monthAt, dayAt] = [from + 6, from, from + 3];
  } else if (to - from !== 8) {
    return 0;
  }
  const year = 100 * twoDigits(block, yearAt) + twoDigits(block, yearAt + 2);
  const month = twoDigits(block, monthAt);
  const day = twoDigits(block, dayAt);
  if (day < 1 || day > daysInMonth(year, month)) return 0;
  const number = 10_000 * year + 100 * month + day;
  return number >= EARLIEST && number <= latest ? number : 0;
}

/** The number of two digits; negative for other bytes. */
export function twoDigits(block: Buffer, offset: number): number {
  const tens = block[offset] as number;
  const ones = block[offset + 1] as number;
  if (tens < DIGIT_0 || tens > DIGIT_9 || ones < DIGIT_0 || ones > DIGIT_9) return NO_DIGITS;
  return 10 * (tens - DIGIT_0) + (ones - DIGIT_0);
}

/** Writes a compact day as YYYY-MM-DD, in ten bytes. */
export function writeDay(out: Buffer, offset: number, day: number): void {
  writeDigits(out, offset, Math.floor(day / 10_000), 4);
  out[offset + 4] = 45;
  writeDigits(out, offset + 5, Math.floor(day / 100) % 100, 2);
  out[offset + 7] = 45;
  writeDigits(out, offset + 8, day % 100, 2);
}

function writeDigits(out: Buffer, offset: number, number: number, count: number): void {
  let rest = number;
  for (let index = offset + count - 1; index >= offset; index -= 1) {
    out[index] = DIGIT_0 + (rest % 10);
    rest = Math.floor(rest / 10);
  }
}
