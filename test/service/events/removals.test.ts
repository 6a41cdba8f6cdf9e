// Events of businesses on the removal list are invisible, at any position on a page.
import { randomInt } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Caller } from "../../../src/accounts/keys/caller.ts";
import { EVENT_TYPES, type EventType } from "../../../src/events/event-types.ts";
import { newestEvents } from "../../../src/events/newest.ts";
import type { EventsQuery } from "../../../src/events/query.ts";
import { type EventsOut, readEvents } from "../../../src/events/read.ts";
import { putEvents, setDetection } from "../../support/events/events.ts";
import { type FeedsFixture, openFeedsFixture, rowsUsed } from "../../support/feeds/feeds-fixture.ts";
import { EVERYTHING } from "../../support/feeds/served-feeds.ts";
import { removeBusinesses, undoRemovals } from "../../support/removals/removals.ts";
import { removeRows } from "../../support/rows.ts";

const STATES = ["TX", "CA", "GU"];
const SINCE = "2026-11-19T00:00:00Z";

let fixture: FeedsFixture;
let caller: Caller;
beforeAll(async () => {
  fixture = await openFeedsFixture();
  await setDetection(fixture.context.db, { finishedAt: "2026-11-20T11:20:06Z", asOf: "2026-11-20" });
  caller = await fixture.caller(EVERYTHING);
});
afterAll(() => fixture.close());
beforeEach(async () => {
  await removeRows(fixture.context.db.pool, "event");
  await undoRemovals(fixture.context.db);
});

const read = async (query: EventsQuery): Promise<EventsOut> =>
  JSON.parse(String((await readEvents(fixture.context, caller, query)).json));

/** Every page from the first on. Each but the last must be full, and the last must not promise another. */
async function walk(query: EventsQuery): Promise<number[]> {
  const ids: number[] = [];
  let cursor: string | undefined;
  for (;;) {
    const page = await read(cursor === undefined ? query : { ...query, cursor });
    ids.push(...page.data.map(({ id }) => id));
    if (page.next_cursor === null) return ids;
    expect(page.data).toHaveLength(query.limit);
    cursor = page.next_cursor;
  }
}

const seed = randomInt(1_000_000);

describe("events of removed businesses", () => {
  it(`are on no page of any filter and size, and each other event is on one (seed ${seed})`, async () => {
    const event = fc.record({
      type: fc.constantFrom(...EVENT_TYPES),
      usdot: fc.integer({ min: 1, max: 6 }),
      state: fc.constantFrom(...STATES, null),
      // Puts half of them so far ahead that the indexes of rare types find them.
      isFar: fc.boolean(),
    });
    const query = fc.record(
      {
        type: fc.subarray([...EVENT_TYPES], { minLength: 1 }),
        state: fc.subarray(STATES, { minLength: 1 }),
        limit: fc.integer({ min: 1, max: 8 }),
      },
      { requiredKeys: ["limit"] },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { maxLength: 30 }),
        fc.subarray([1, 2, 3, 4, 5, 6]),
        fc.array(query, { minLength: 3, maxLength: 3 }),
        async (events, removed, queries) => {
          await removeRows(fixture.context.db.pool, "event");
          await putEvents(
            fixture.context.db,
            events.filter(({ isFar }) => !isFar),
          );
          await fixture.context.db.pool.query(
            "SELECT setval('event_id_seq', nextval('event_id_seq') + 10001)",
          );
          await putEvents(
            fixture.context.db,
            events.filter(({ isFar }) => isFar),
          );
          await undoRemovals(fixture.context.db);
          await removeBusinesses(fixture.context.db, removed);
          for (const { type, state, limit } of queries) {
            const { rows } = await fixture.context.db.pool.query<{ id: number }>(
              `SELECT id FROM event WHERE NOT usdot = ANY ($1) AND ($2::text[] IS NULL OR type = ANY ($2))
                 AND ($3::text[] IS NULL OR state = ANY ($3)) ORDER BY id`,
              [removed, type ?? null, state ?? null],
            );
            const asked = { ...(type && { type }), ...(state && { state }), limit, since: SINCE };
            expect(await walk(asked)).toEqual(rows.map(({ id }) => id));
          }
        },
      ),
      { seed, numRuns: 40 },
    );
  });

  it("are neither charged nor counted as more events, and a reader continues after them", async () => {
    const ids = await putEvents(
      fixture.context.db,
      [1, 7, 2, 7, 7].map((usdot) => ({ usdot })),
    );
    await removeBusinesses(fixture.context.db, [7]);
    const before = (await rowsUsed(fixture.context, caller)).quota;
    const page = await read({ limit: 2, since: SINCE });
    expect(page.data.map(({ id }) => id)).toEqual([ids[0], ids[2]]);
    expect(page.next_cursor).toBeNull();
    expect((await rowsUsed(fixture.context, caller)).quota - before).toBe(2);
    const [next] = await putEvents(fixture.context.db, [{ usdot: 3 }]);
    const later = await read({ limit: 2, cursor: page.meta.resume_cursor });
    expect(later.data.map(({ id }) => id)).toEqual([next]);
  });

  it("disappear between two pages without a gap or a repetition, and reappear when the removal is undone", async () => {
    const ids = await putEvents(
      fixture.context.db,
      [1, 7, 2, 7, 3].map((usdot) => ({ usdot })),
    );
    const first = await read({ limit: 2, since: SINCE });
    expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    await removeBusinesses(fixture.context.db, [7]);
    const rest = await read({ limit: 2, cursor: first.meta.resume_cursor });
    expect(rest.data.map(({ id }) => id)).toEqual([ids[2], ids[4]]);
    expect(rest.next_cursor).toBeNull();
    await undoRemovals(fixture.context.db);
    expect(await walk({ limit: 2, since: SINCE })).toEqual(ids);
  });

  it("are not among the newest of a carrier", async () => {
    const types: EventType[] = ["new_authority_granted", "reinstated"];
    await putEvents(
      fixture.context.db,
      types.map((type) => ({ type, usdot: 7 })),
    );
    expect(await newestEvents(fixture.context, caller, "7")).toHaveLength(2);
    await removeBusinesses(fixture.context.db, [7]);
    expect(await newestEvents(fixture.context, caller, "7")).toEqual([]);
    await undoRemovals(fixture.context.db);
    expect(await newestEvents(fixture.context, caller, "7")).toHaveLength(2);
  });
});
