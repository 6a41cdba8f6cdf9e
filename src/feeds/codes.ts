// Lists of the words in packed columns. A published version stores a word as its index in such a list. So append new
// words only at the end of a list, and of an enum in openapi.yaml that a filter reads.
import { STATE_CODES } from "../registry/places/state-codes.ts";

/** IANA names a record's time zone can have: those of the county list, then those of the territories and Adak. */
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

/** Zone names of the law (15 U.S.C. 263) → the IANA names in that zone, with or without summer time: Mountain has Arizona. */
export const TIME_ZONE_GROUPS: ReadonlyMap<string, readonly string[]> = new Map([
  ["Eastern", ["America/New_York"]],
  ["Central", ["America/Chicago"]],
  ["Mountain", ["America/Denver", "America/Phoenix"]],
  ["Pacific", ["America/Los_Angeles"]],
  ["Alaska", ["America/Anchorage"]],
  ["Hawaii", ["Pacific/Honolulu", "America/Adak"]],
]);

/** The words of text columns that have no enum in openapi.yaml. */
export const OPEN_WORDS: Readonly<Record<string, readonly string[]>> = {
  state: STATE_CODES,
  time_zone: TIME_ZONES,
};
