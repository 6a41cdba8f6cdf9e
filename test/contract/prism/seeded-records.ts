// Records for the contract's cases: a few, such that every filter of the feed matches some and not others.
import type { FeedCode } from "../../../src/feeds/catalogue.ts";
import { type FeedRecord, feedRecord } from "../../support/feeds/published-feed.ts";

const PLACES = [
  { state: "TX", city: "ABILENE", zip: "79602", time_zone: "America/Chicago" },
  { state: "CA", city: "FRESNO", zip: "93721", time_zone: "America/Los_Angeles" },
  { state: "TX", city: "EL PASO", zip: "79901", time_zone: "America/Denver" },
  { state: "OK", city: "ENID", zip: "73701", time_zone: "America/Chicago" },
  { state: "FL", city: "OCALA", zip: "34470", time_zone: "America/New_York" },
];
const ROWS = 11;
/** One to be quoted in CSV, and one that the registry of test mode has too. */
const NAMES = new Map([
  [0, 'THE "A" TEAM, LLC'],
  [7, "TAMARACK FREIGHT INC"],
]);

/** Records of the feed, in its order (newest authority first, then USDOT number), numbered from `firstDot` on. */
export const seededRecords = (code: FeedCode, asOf: string, firstDot: number): FeedRecord[] =>
  Array.from({ length: ROWS }, (_, index) => feedRecord(code, seededRecord(index, asOf, firstDot + index)));

function seededRecord(index: number, asOf: string, dot: number): FeedRecord {
  const hasCell = index % 2 === 0;
  return {
    company: NAMES.get(index) ?? `CARRIER ${index} LLC`,
    dba_name: index % 3 === 0 ? `NAME ${index}` : null,
    dot_number: String(dot),
    docket_number: `MC${dot}`,
    entity_type: index % 2 === 0 ? "broker" : "freight_forwarder",
    authority_granted: dayBefore(asOf, index),
    days_in_business: index,
    street: `${index + 1} MAIN ST`,
    ...PLACES[index % PLACES.length],
    phone: index === 3 ? null : `325555010${index % 10}`,
    phone_type: index === 3 ? null : index === 2 ? "mobile" : "either",
    cell_phone: hasCell ? `325555011${index % 10}` : null,
    has_cell: hasCell,
    email: index === 5 ? null : `office${index}@carrier.example`,
    power_units: index === 4 ? null : index,
    drivers: index,
    general_freight: index === 6 ? null : index % 2 === 0,
    last_verified: asOf,
    cargo: index % 3 === 0 ? null : index % 2 === 0 ? ["produce"] : ["general_freight", "other"],
    hazmat: index === 7 ? null : index % 4 === 0,
    is_individual: index % 5 === 0,
  };
}

const dayBefore = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10);
