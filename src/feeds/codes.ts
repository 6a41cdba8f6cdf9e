// Words that filter columns hold. A published version keeps a word as its place in one of these lists, so a list only
// ever grows at its end.

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

export const PHONE_TYPES: readonly string[] = ["mobile", "landline", "either"];

export const ENTITY_TYPES: readonly string[] = ["broker", "freight_forwarder"];
