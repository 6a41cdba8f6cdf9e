// Sixteen readers follow the cursor while events are written as imports write them: one at a time, many in a
// transaction, some rolled back. In the end each reader has read the committed events, once and in order.
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Caller } from "../../../src/accounts/keys/caller.ts";
import { EVENT_TYPES, type EventType } from "../../../src/events/event-types.ts";
import { type EventsOut, readEvents } from "../../../src/events/read.ts";
import type { Context } from "../../../src/platform/context.ts";
import { setDetection } from "../../support/events/events.ts";
import { type FeedsFixture, openFeedsFixture } from "../../support/feeds/feeds-fixture.ts";
import { putRows } from "../../support/rows.ts";

const READERS = 16;
const IMPORTS = 40;
const STATES = ["TX", "CA", "OH", "GU"];

let fixture: FeedsFixture;
beforeAll(async () => {
  fixture = await openFeedsFixture();
  await setDetection(fixture.context.db, { finishedAt: "2026-11-20T11:20:06Z", asOf: "2026-11-20" });
});
afterAll(() => fixture.close());

interface Written {
  id: number;
  type: EventType;
  state: string;
}

/** One import's events, in several statements; a third of the imports fails at the end. */
async function importEvents(context: Context, number: number): Promise<Written[]> {
  const written: Written[] = [];
  const isFailing = number % 3 === 0;
  try {
    await context.db.bulkTransaction(async (client) => {
      for (let batch = 0; batch < 3; batch++) {
        const rows = Array.from({ length: 30 + number }, (_, index) => {
          const n = batch * 100 + 1 + index;
          const [type, state] = [EVENT_TYPES[(n * 7 + number) % 5], STATES[(n + number) % 4]];
          return { type, usdot: n, state, detected_at: context.clock.now() };
        });
        const stored = await putRows<Written>(client, "event", ...rows);
        written.push(...stored.map(({ id, type, state }) => ({ id, type, state })));
      }
      if (isFailing) throw new Error("The import fails.");
    });
  } catch (error) {
    if (!isFailing) throw error;
    return [];
  }
  return written;
}

it("skips nothing and repeats nothing for any reader and any query", async () => {
  const writer = await fixture.openAnother();
  const committed: Written[] = [];
  let isWriting = true;
  const read = async (caller: Caller, query: { cursor?: string; limit: number; type?: EventType[] }) =>
    JSON.parse(String((await readEvents(fixture.context, caller, query)).json)) as EventsOut;

  const follow = async (number: number): Promise<{ seen: number[]; wanted: (event: Written) => boolean }> => {
    const states = number % 2 === 0 ? null : ["GU", "TX"];
    const types: EventType[] | null = number % 3 === 0 ? ["reinstated"] : null;
    const caller = await fixture.caller({
      feeds: { us_revocation_pending: states },
      rowsPerMonth: 1_000_000,
    });
    const seen: number[] = [];
    const take = (page: EventsOut) => {
      seen.push(...page.data.map(({ id }) => id));
      return page;
    };
    const asked = { limit: 1 + number * 9, ...(types === null ? {} : { type: types }) };
    let page = take(await read(caller, asked));
    while (true) {
      const wasWriting = isWriting;
      page = take(await read(caller, { ...asked, cursor: page.meta.resume_cursor }));
      if (!wasWriting && page.next_cursor === null) break;
    }
    const carried: EventType[] = ["revocation_pending", "reinstated", "authority_inactive"];
    return {
      seen,
      wanted: ({ type, state }) =>
        (types ?? carried).includes(type) && (states === null || states.includes(state)),
    };
  };

  const readers = Array.from({ length: READERS }, (_, number) => follow(number));
  for (let number = 1; number <= IMPORTS; number++) committed.push(...(await importEvents(writer, number)));
  isWriting = false;
  for (const { seen, wanted } of await Promise.all(readers)) {
    expect(seen).toEqual(committed.filter(wanted).map(({ id }) => id));
  }
  expect(committed.length).toBeGreaterThan(2_000);
});
