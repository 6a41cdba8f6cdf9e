import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EVENT_TYPES } from "../../../../src/events/event-types.ts";
import { fanOut } from "../../../../src/webhooks/queue/fan-out.ts";
import { countReplay, replay } from "../../../../src/webhooks/replay/replay.ts";
import { REPLAY_KINDS } from "../../../../src/webhooks/replay/replay-range.ts";
import { putEvents } from "../../../support/events/events.ts";
import { EVERYTHING } from "../../../support/feeds/served-feeds.ts";
import { changeRows, putRows } from "../../../support/rows.ts";
import { startTestService, type TestService } from "../../../support/service.ts";
import { deliveriesOf } from "../../../support/webhooks/deliveries.ts";
import { registerEndpoint } from "../../../support/webhooks/endpoints.ts";

interface Filters {
  states?: string[];
  usdots?: string[];
  authority_types?: ("carrier_property" | "carrier_hhg" | "broker" | "freight_forwarder")[];
  trucks_min?: number;
  trucks_max?: number;
}

/** Power units of each business; the last one is in no census. */
const TRUCKS = new Map<number, number | null>([
  [81, 0],
  [82, 1],
  [83, 20],
  [84, 21],
  [85, null],
]);
const USDOTS = [...TRUCKS.keys(), 86];
const STATES = ["TX", "OK", "CA"];
const AUTHORITY_TYPES = ["carrier_property", "carrier_hhg", "broker", "freight_forwarder"] as const;

const EVENT = fc.record({
  type: fc.constantFrom(...EVENT_TYPES),
  usdot: fc.constantFrom(...USDOTS),
  state: fc.option(fc.constantFrom(...STATES)),
  data: fc.record({ authority_type: fc.constantFrom(...AUTHORITY_TYPES) }, { requiredKeys: [] }),
});
const some = <Value>(...values: readonly Value[]) => fc.array(fc.constantFrom(...values), { minLength: 1 });
const FILTERS = fc
  .record(
    {
      states: some(...STATES, "tx", "AK"),
      usdots: some(...USDOTS.map(String), "0000081", "99999999"),
      authority_types: some(...AUTHORITY_TYPES).map((types) => types.slice(0, 4)),
      trucks_min: fc.constantFrom(0, 1, 2, 20, 22),
      trucks_max: fc.constantFrom(0, 1, 19, 20, 21),
    },
    { requiredKeys: [] },
  )
  .filter(({ trucks_min = 0, trucks_max = 21 }) => trucks_min <= trucks_max);
const ENDPOINT = fc.record({
  filters: FILTERS,
  event_types: fc.subarray([...EVENT_TYPES], { minLength: 1 }),
});

type GivenEvent = typeof EVENT extends fc.Arbitrary<infer One> ? One : never;
type GivenEndpoint = typeof ENDPOINT extends fc.Arbitrary<infer One> ? One : never;

/** Whether an endpoint receives an event, by the words of the contract. */
function isWanted(
  { type, usdot, state, data }: GivenEvent,
  { filters, event_types }: GivenEndpoint,
): boolean {
  const { states, usdots, authority_types, trucks_min, trucks_max }: Filters = filters;
  if (!event_types.includes(type)) return false;
  if (states && !states.some((each) => each.toUpperCase() === state)) return false;
  if (usdots && !usdots.some((each) => Number(each) === usdot)) return false;
  if (authority_types && !authority_types.some((each) => each === data.authority_type)) return false;
  const trucks = TRUCKS.get(usdot) ?? null;
  if (trucks_min !== undefined && (trucks === null || trucks < trucks_min)) return false;
  return trucks_max === undefined || (trucks !== null && trucks <= trucks_max);
}

let service: TestService;
let accountId: number;
beforeAll(async () => {
  service = await startTestService();
  ({ accountId } = await service.createAccount(EVERYTHING));
  for (const [usdot, trucks] of TRUCKS) {
    await putRows(service.context.db.pool, "census", {
      usdot,
      status_code: "A",
      general_freight: false,
      power_units: trucks,
    });
  }
});
afterAll(() => service.stop());

const eventsOf = async (endpointId: number) =>
  (await deliveriesOf(service.context, endpointId)).map(({ event_id }) => event_id);

describe("the filters of an endpoint", () => {
  it("decide about new events at fan-out, and about missed ones at a replay, as the contract says", async () => {
    const { context } = service;
    let day = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(EVENT, { minLength: 40, maxLength: 40 }),
        fc.array(EVENT, { minLength: 40, maxLength: 40 }),
        fc.array(ENDPOINT, { minLength: 10, maxLength: 10 }),
        async (missed, fresh, endpoints) => {
          await changeRows(context.db.pool, "webhook_endpoint", { active: false });
          // Each run has a day of its own, so that a replay sends only its events.
          day += 1;
          const detectedAt = `2026-10-${String(day).padStart(2, "0")}T10:00:00Z`;
          const missedIds = await putEvents(
            context.db,
            missed.map((one) => ({ ...one, detectedAt })),
          );
          await fanOut(context);
          const ids: number[] = [];
          for (const one of endpoints) ids.push((await registerEndpoint(context, accountId, one)).id);
          const freshIds = await putEvents(
            context.db,
            fresh.map((one) => ({ ...one, detectedAt })),
          );
          await fanOut(context);
          for (const [index, endpoint] of endpoints.entries()) {
            const endpointId = ids[index] ?? 0;
            const wanted = (given: GivenEvent[], of: number[]) =>
              of.filter((_id, at) => isWanted(given[at] as GivenEvent, endpoint));
            const ofFresh = wanted(fresh, freshIds);
            expect(await eventsOf(endpointId)).toEqual(ofFresh);
            const ofMissed = wanted(missed, missedIds);
            const [from, to] = [new Date(detectedAt), new Date("2026-10-31T00:00Z")];
            const asked = { from, to, endpointId, kinds: REPLAY_KINDS };
            expect(await countReplay(context, asked)).toMatchObject({ counts: { missed: ofMissed.length } });
            expect(await replay(context, asked)).toEqual({ queued: ofMissed.length });
            expect(await eventsOf(endpointId)).toEqual([...ofFresh, ...ofMissed]);
          }
        },
      ),
      { numRuns: 3, endOnFailure: true },
    );
  });

  it("of 1,000 businesses and none leave the deliveries of other endpoints alone", async () => {
    const { context } = service;
    await changeRows(context.db.pool, "webhook_endpoint", { active: false });
    const usdots = Array.from({ length: 1_000 }, (_, index) => String(5_000_000 + index));
    const watching = await registerEndpoint(context, accountId, { filters: { usdots } });
    const all = await registerEndpoint(context, accountId, { filters: null });
    const ids = await putEvents(context.db, [{ usdot: 5_000_999 }, { usdot: 5_001_000 }]);
    await fanOut(context);
    expect(await eventsOf(watching.id)).toEqual([ids[0]]);
    expect(await eventsOf(all.id)).toEqual(ids);
  });
});
