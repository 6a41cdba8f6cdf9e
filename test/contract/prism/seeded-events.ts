// Events for the contract's cases: few, of every type, in several states and in none.
import { EVENT_TYPES } from "../../../src/events/event-types.ts";
import type { GivenEvent } from "../../support/events/events.ts";

const STATES = ["TX", "CA", "OK", null, "TX", "FL"];
const ROWS = 12;

/** Events of the last week before 2026-11-21, oldest first, of companies that stand in no seeded feed. */
export const seededEvents = (): GivenEvent[] =>
  Array.from({ length: ROWS }, (_, place) => ({
    type: EVENT_TYPES[place % EVENT_TYPES.length] ?? "reinstated",
    usdot: 4_200_000 + place,
    docket: place === 3 ? null : `MC${1_200_000 + place}`,
    state: STATES[place % STATES.length] ?? null,
    occurredOn: place === 4 ? null : "2026-11-17",
    detectedAt: `2026-11-${15 + Math.floor(place / 2)}T11:20:05Z`,
    verifyMethod: place === 5 ? null : "registry_record",
    data:
      place === 6 ? {} : { legal_name: `COMPANY ${place} LLC`, reason: "Granted", status_after: "active" },
  }));
