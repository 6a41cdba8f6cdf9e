// Records for the contract's cases: few, and such that every filter of the feed finds some and leaves some.
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

/** Records of the feed, in its order (newest authority first, then USDOT number), numbered from `firstDot` on. */
export const seededRecords = (code: FeedCode, asOf: string, firstDot: number): FeedRecord[] =>
  Array.from({ length: ROWS }, (_, place) => feedRecord(code, seededRecord(place, asOf, firstDot + place)));

function seededRecord(place: number, asOf: string, dot: number): FeedRecord {
  const hasCell = place % 2 === 0;
  return {
    company: place === 0 ? 'THE "A" TEAM, LLC' : `CARRIER ${place} LLC`,
    dba_name: place % 3 === 0 ? `NAME ${place}` : null,
    dot_number: String(dot),
    docket_number: `MC${dot}`,
    entity_type: place % 2 === 0 ? "broker" : "freight_forwarder",
    authority_granted: dayBefore(asOf, place),
    days_in_business: place,
    street: `${place + 1} MAIN ST`,
    ...PLACES[place % PLACES.length],
    phone: place === 3 ? null : `325555010${place % 10}`,
    phone_type: place === 3 ? null : place === 2 ? "mobile" : "either",
    cell_phone: hasCell ? `325555011${place % 10}` : null,
    has_cell: hasCell,
    email: place === 5 ? null : `office${place}@carrier.example`,
    power_units: place === 4 ? null : place,
    drivers: place,
    general_freight: place === 6 ? null : place % 2 === 0,
    last_verified: asOf,
  };
}

const dayBefore = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10);
