/** The program's source of time. Tests pass a clock that they can set. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** Milliseconds of a UTC day, without leap seconds. */
export const DAY_MS = 86_400_000;
export const HOUR_MS = 3_600_000;

/** The day that `dayOf` returned last: nearly always the next call is about the same one. */
let lastDay = { number: Number.NaN, text: "" };

/** The UTC day of a time, as YYYY-MM-DD. */
export function dayOf(instant: Date): string {
  const number = Math.floor(instant.getTime() / DAY_MS);
  if (number !== lastDay.number) lastDay = { number, text: instant.toISOString().slice(0, 10) };
  return lastDay.text;
}

/** The first day of an instant's month (UTC), as YYYY-MM-DD. */
export const monthStartOf = (instant: Date): string => `${dayOf(instant).slice(0, 7)}-01`;

/** The time (ms) at which the month that starts on `monthStart`, a YYYY-MM-DD day, ends (UTC). */
export const monthEndMs = (monthStart: string): number =>
  Date.UTC(Number(monthStart.slice(0, 4)), Number(monthStart.slice(5, 7)), 1);

/** The first day of the month after the one that starts on `monthStart`, both as YYYY-MM-DD. */
export const monthAfter = (monthStart: string): string => dayOf(new Date(monthEndMs(monthStart)));

/** Days since 1970-01-01 of a YYYY-MM-DD day. */
export const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS;

/** Whether a text is a day of the calendar, written YYYY-MM-DD. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const days = dayNumber(text);
  // Date.parse accepts 31 February as a day of March.
  return Number.isInteger(days) && addDays(text, 0) === text;
}

/** The day `days` after `day`, as YYYY-MM-DD; a negative number gives an earlier day. */
export const addDays = (day: string, days: number): string =>
  dayOf(new Date((dayNumber(day) + days) * DAY_MS));

/** So many days up to `today`, the oldest first. */
export const lastDays = (today: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => addDays(today, index + 1 - count));
