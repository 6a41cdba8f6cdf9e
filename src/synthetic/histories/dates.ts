import { addDays } from "../../platform/clock.ts";

const EPOCH = "1970-01-01";
const cache = new Map<number, string>();

/** YYYY-MM-DD of a day counted from 1970-01-01. Cached: a registry repeats the same few thousand days. */
function isoDay(day: number): string {
  let text = cache.get(day);
  if (text === undefined) {
    text = addDays(EPOCH, day);
    cache.set(day, text);
  }
  return text;
}

/** YYYYMMDD, as the census and the Motus files write it. */
export const compactDay = (day: number): string => isoDay(day).replaceAll("-", "");

/** MM/DD/YYYY, as the legacy files write it. */
export function americanDay(day: number): string {
  const text = isoDay(day);
  return `${text.slice(5, 7)}/${text.slice(8)}/${text.slice(0, 4)}`;
}
