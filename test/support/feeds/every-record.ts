// Records at the limits of every filter, for each feed of the catalogue.
import type { FeedCode } from "../../../src/feeds/catalogue.ts";
import { addDays } from "../../../src/platform/clock.ts";
import { type FeedRecord, feedRecord } from "./published-feed.ts";

export const AS_OF = "2026-11-20";
/** More than two pages of the default size. */
const ROWS = 210;

const DAYS_IN_BUSINESS = [0, 1, 10, 11, 364, 365, 366, 18_800, null];
const POWER_UNITS = [null, 0, 1, 4, 5, 20, 21];
const STATES = ["TX", "CA", "OK", "GU", null];
const TIME_ZONES = [
  "America/New_York",
  "America/Chicago",
  "America/Denver",
  "America/Phoenix",
  "America/Los_Angeles",
  "America/Anchorage",
  "Pacific/Honolulu",
  "America/Adak",
  "America/Puerto_Rico",
  "Pacific/Guam",
  null,
];
const CARGO = [
  ["general_freight"],
  ["produce", "meat", "other"],
  null,
  ["livestock"],
  ["general_freight", "other"],
];
const PHONE_TYPES = ["mobile", "landline", "either", null];

/** An item of a list by index, in a cycle: lists of different lengths meet in every combination. */
const at = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

function recordAt(index: number): FeedRecord {
  const days = at(DAYS_IN_BUSINESS, index);
  return {
    company: `CARRIER ${index}, LLC`,
    dot_number: String(4_300_000 + index),
    docket_number: `MC${4_300_000 + index}`,
    authority_granted: days === null ? null : addDays(AS_OF, -days),
    days_in_business: days,
    state: at(STATES, index),
    time_zone: at(TIME_ZONES, index),
    phone_type: at(PHONE_TYPES, index),
    power_units: at(POWER_UNITS, index),
    general_freight: at([true, false, null], index),
    has_cell: index % 2 === 0,
    out_of_service: at([false, false, true, null], index),
    entity_type: at(["broker", "broker", "freight_forwarder"], index),
    cargo: at(CARGO, index),
    hazmat: at([true, false, null, false], index),
    is_individual: at([false, true, false, null], index),
    insurer: at(
      ["EXAMPLE MUTUAL INSURANCE CO", "Sample & Sons Ins. Co.", null, "EXAMPLE CASUALTY", "LLOYDS, LONDON"],
      index,
    ),
    cancellation_pending: at([null, "2026-11-21", null, "2026-12-20", "2027-02-18"], index),
    last_verified: at([AS_OF, "2026-11-19", "2026-11-01", "2026-10-31"], index),
  };
}

/** The order that the contract promises: newest authority first, none at the end, then by USDOT number. */
const inOrder = (one: FeedRecord, other: FeedRecord): number =>
  Number(one.days_in_business ?? Infinity) - Number(other.days_in_business ?? Infinity) ||
  Number(one.dot_number) - Number(other.dot_number);

const known = new Map<FeedCode, readonly FeedRecord[]>();

/** The records of a feed, in its order. Hundreds of cases ask for them. */
export function recordsOf(code: FeedCode): readonly FeedRecord[] {
  const records =
    known.get(code) ??
    Array.from({ length: ROWS }, (_, index) => recordAt(index))
      .sort(inOrder)
      .map((record) => feedRecord(code, record));
  known.set(code, records);
  return records;
}
