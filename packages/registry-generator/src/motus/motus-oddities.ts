import { compactDay } from "../histories/dates.ts";
import type { Random } from "../random.ts";

/** The docket with a hyphen between its letters and its number, as some files have it. */
export const withHyphen = (docket: string): string => docket.replace(/^([A-Z]{2})-?/, "$1-");

/** YYYYMMDD of the day with an impossible year, as in a few rows of every file. */
export const withStrangeYear = (day: number, random: Random): string =>
  random.pick(["0189", "2044", "2517"]) + compactDay(day).slice(4);
