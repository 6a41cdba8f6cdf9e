// Events for the contract's cases: a few, of every type, in several states and in none.
import { EVENT_TYPES } from "../../../src/events/event-types.ts";
import type { GivenEvent } from "../../support/events/events.ts";

const STATES = ["TX", "CA", "OK", null, "TX", "FL"];
const ROWS = 12;

/** Events of the last week before 2026-11-21, oldest first, of companies that are in no seeded feed. */
export const seededEvents = (): GivenEvent[] =>
  Array.from({ length: ROWS }, (_, index) => ({
    type: EVENT_TYPES[index % EVENT_TYPES.length] ?? "reinstated",
    usdot: 4_200_000 + index,
    docket: index === 3 ? null : `MC${1_200_000 + index}`,
    state: STATES[index % STATES.length] ?? null,
    occurredOn: index === 4 ? null : "2026-11-17",
    detectedAt: `2026-11-${15 + Math.floor(index / 2)}T11:20:05Z`,
    verifyMethod: index === 5 ? null : "registry_record",
    data:
      index === 6 ? {} : { legal_name: `COMPANY ${index} LLC`, reason: "Granted", status_after: "active" },
  }));
