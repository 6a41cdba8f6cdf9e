const DAY_MS = 86_400_000;
const cache = new Map<number, string>();

/** YYYY-MM-DD of a day counted from 1970-01-01. Cached: a registry repeats the same few thousand days. */
export function isoDay(day: number): string {
  let text = cache.get(day);
  if (text === undefined) {
    text = new Date(day * DAY_MS).toISOString().slice(0, 10);
    cache.set(day, text);
  }
  return text;
}

/** The number of a YYYY-MM-DD day, counted from 1970-01-01. */
export const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS;

/** YYYYMMDD, as the census and the Motus files write it. */
export const compactDay = (day: number): string => isoDay(day).replaceAll("-", "");

/** MM/DD/YYYY, as the legacy files write it. */
export function americanDay(day: number): string {
  const text = isoDay(day);
  return `${text.slice(5, 7)}/${text.slice(8)}/${text.slice(0, 4)}`;
}
