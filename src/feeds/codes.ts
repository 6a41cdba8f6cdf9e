// Words that packed columns hold. A published version keeps a word as its index in one of these lists, so a list, and an
// enum of openapi.yaml that a filter reads, only ever grows at its end.
import { STATE_CODES } from "../registry/places/state-codes.ts";

/** IANA names a record's time zone can have: those of the county list, then what the territories and Adak keep. */
export const TIME_ZONES: readonly string[] = [
  "America/New_York",
  "America/Chicago",
  "America/Denver",
  "America/Phoenix",
  "America/Los_Angeles",
  "America/Anchorage",
  "America/Adak",
  "Pacific/Honolulu",
  "America/Puerto_Rico",
  "America/St_Thomas",
  "Pacific/Guam",
  "Pacific/Saipan",
  "Pacific/Pago_Pago",
];

/** The names of the law (15 U.S.C. 263) → the IANA names that lie in that zone, summer time or not: Mountain has Arizona. */
export const TIME_ZONE_GROUPS: ReadonlyMap<string, readonly string[]> = new Map([
  ["Eastern", ["America/New_York"]],
  ["Central", ["America/Chicago"]],
  ["Mountain", ["America/Denver", "America/Phoenix"]],
  ["Pacific", ["America/Los_Angeles"]],
  ["Alaska", ["America/Anchorage"]],
  ["Hawaii", ["Pacific/Honolulu", "America/Adak"]],
]);

/** The words of text columns for which openapi.yaml lists none. */
export const OPEN_WORDS: Readonly<Record<string, readonly string[]>> = {
  state: STATE_CODES,
  time_zone: TIME_ZONES,
};
