// Exports and removals: rows removed while an export runs are not in the rest of it, and are free.
import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Caller } from "../../../../src/accounts/keys/caller.ts";
import { type ExportAnswer, exportFeed } from "../../../../src/feeds/export/export.ts";
import type { FeedQuery } from "../../../../src/feeds/records/records.ts";
import {
  type FeedsFixture,
  filters,
  openFeedsFixture,
  rowsUsed,
} from "../../../support/feeds/feeds-fixture.ts";
import { feedRecord, publishFeed } from "../../../support/feeds/published-feed.ts";
import { blankContacts, removeBusinesses, undoRemovals } from "../../../support/removals/removals.ts";
import { requestRemoval, undoRequest } from "../../../support/removals/requests.ts";

const BROKERS = "us_brokers";
const COUNT = 3_000;
const PHONE = "3605550142";

let fixture: FeedsFixture;
let caller: Caller;
beforeEach(async () => {
  fixture = await openFeedsFixture();
  caller = await fixture.caller({ feeds: { [BROKERS]: null }, rowsPerMonth: 1e9 });
});
afterEach(() => fixture.close());

/** Publishes companies 1 to `count`, in this order, the odd ones in TX; the last has a phone. */
const publish = (count = COUNT): Promise<number> =>
  publishFeed(fixture.context.db, BROKERS, {
    records: Array.from({ length: count }, (_, index) =>
      feedRecord(BROKERS, {
        dot_number: String(index + 1),
        street: "x".repeat(60),
        state: index % 2 ? "CA" : "TX",
        phone: index + 1 === count ? PHONE : null,
      }),
    ),
    asOf: "2026-11-20",
    now: fixture.clock.now(),
  });

const start = (query: Partial<FeedQuery> = {}): Promise<ExportAnswer> =>
  exportFeed(fixture.context, caller, BROKERS, { filters: filters(), ...query }, { removalsGoodForMs: 0 });

const bodyOf = (answer: ExportAnswer) => {
  if (answer.status !== 200) throw new Error("not an export");
  return answer.body;
};

/** Takes nothing of an export, and waits for its end to be recorded: until then it counts as running. */
async function abandon(answer: ExportAnswer): Promise<void> {
  const body = bodyOf(answer).destroy();
  if (!body.closed) await once(body, "close");
}

/** USDOT numbers of a CSV, in their order. */
const usdotsOf = (csv: string): number[] =>
  csv
    .split("\r\n")
    .slice(1, -1)
    .map((line) => Number(line.split(",")[2]));

/** Takes this number of chunks, calls a function, and takes the rest. */
async function interrupted(
  answer: ExportAnswer,
  chunks: number,
  doIt: () => Promise<void>,
): Promise<number[]> {
  const taken: Buffer[] = [];
  for await (const chunk of bodyOf(answer)) {
    taken.push(chunk);
    if (taken.length !== chunks) continue;
    // By then all read-ahead is done.
    for (let turn = 0; turn < 50; turn++) await setImmediate();
    await doIt();
  }
  return usdotsOf(Buffer.concat(taken).toString());
}

const exported = async (query: Partial<FeedQuery> = {}): Promise<number[]> =>
  usdotsOf(Buffer.concat(await bodyOf(await start(query)).toArray()).toString());
const used = async (): Promise<number> => (await rowsUsed(fixture.context, caller)).export;
const without = (...removed: number[]): number[] =>
  Array.from({ length: COUNT }, (_, index) => index + 1).filter((usdot) => !removed.includes(usdot));
const later = (): Date => new Date(fixture.clock.now().getTime() + 1000);

describe("an export that begins", () => {
  it("charges and has only the visible rows, with another tag, from the same file", async () => {
    await publish();
    const before = await start();
    await abandon(before);
    await removeBusinesses(fixture.context.db, [1, 2, 1500, COUNT]);
    expect(await exported()).toEqual(without(1, 2, 1500, COUNT));
    expect(await used()).toBe(COUNT - 4);
    const again = await start({ ifNoneMatch: before.headers.ETag });
    expect(again.status).toBe(200);
    await abandon(again);
    await undoRemovals(fixture.context.db);
    expect((await start({ ifNoneMatch: before.headers.ETag })).status).toBe(304);
  });

  // A file that was read while a row was removed lacks the row. Nobody may continue it once the row is shown again.
  it.each([
    ["a business", { usdots: [7] }],
    ["a contact", { phone: PHONE }],
  ])("has another tag once the removal of %s was undone", async (_name, what) => {
    await publish(10);
    const before = await start();
    await abandon(before);
    await undoRequest(
      fixture.context,
      await requestRemoval(fixture.context, what, fixture.clock.now()),
      later(),
    );
    expect(await exported()).toHaveLength(10);
    const answer = await start({ ifNoneMatch: before.headers.ETag });
    expect(answer.status).toBe(200);
    await abandon(answer);
  });

  // Each undone removal ended the downloads of all customers, and told all of them that their copies had changed.
  it("has the same tag when a removal was undone that concerns none of its rows", async () => {
    const what = { usdots: [COUNT + 1], phone: "3605550199" };
    const early = await requestRemoval(fixture.context, what, fixture.clock.now());
    await publish(10);
    const before = await start();
    await abandon(before);
    await undoRequest(fixture.context, early, later());
    const late = await requestRemoval(fixture.context, what, later());
    await undoRequest(fixture.context, late, later());
    const answer = await start({ ifNoneMatch: before.headers.ETag });
    if (answer.status === 200) await abandon(answer);
    expect(answer.status).toBe(304);
  });

  it("needs quota for the visible rows only", async () => {
    await publish(10);
    caller = await fixture.caller({ feeds: { [BROKERS]: null }, rowsPerMonth: 9 });
    await expect(start()).rejects.toMatchObject({ code: "quota_exceeded" });
    await removeBusinesses(fixture.context.db, [10]);
    expect(await exported()).toHaveLength(9);
  });
});

describe("an export that runs", () => {
  it.each<[string, Partial<FeedQuery>, (usdot: number) => boolean]>([
    ["whole", {}, () => true],
    ["filtered", { filters: filters({ state: "TX" }) }, (usdot) => usdot % 2 === 1],
    ["of a version by number", { version: 1 }, () => true],
  ])("leaves out rows removed meanwhile and ends normally: %s", async (_name, query, isIn) => {
    await publish();
    await removeBusinesses(fixture.context.db, [5]);
    const [before, expected] = [without(5).filter(isIn), without(5, 2001, COUNT - 1, COUNT).filter(isIn)];
    if (query.version !== undefined) await publish(1);
    const rows = await interrupted(await start(query), 2, async () => {
      expect(await used()).toBe(before.length);
      // The first row is delivered already.
      await removeBusinesses(fixture.context.db, [1, 2001, COUNT - 1]);
      await blankContacts(fixture.context.db, [PHONE], later());
    });
    expect(rows).toEqual(expected);
    expect(await used()).toBe(expected.length);
  });

  it("as a part breaks off once a row of its rest is removed, and goes on when another row is", async () => {
    await publish();
    const part = async (removed: number): Promise<number> => {
      const query = { filters: filters({ state: "TX" }), range: "bytes=0-" };
      const options = { format: "ndjson", removalsGoodForMs: 0 } as const;
      const answer = await exportFeed(fixture.context, caller, BROKERS, query, options);
      expect(answer.status).toBe(206);
      let bytes = 0;
      for await (const chunk of answer.body ?? []) {
        if (bytes === 0) await removeBusinesses(fixture.context.db, [removed]);
        bytes += chunk.length;
      }
      return bytes;
    };
    expect(await part(2)).toBeGreaterThan(500_000);
    expect(await used()).toBe(COUNT / 2);
    await expect(part(COUNT - 1)).rejects.toMatchObject({ code: "export_changed" });
  });

  it("returns no row that was removed before it was read, however slow its reader is", async () => {
    await publish();
    // Only the header was read: the first row would be next.
    expect(await interrupted(await start(), 1, () => removeBusinesses(fixture.context.db, [1]))).toEqual(
      without(1),
    );
  });

  it("does not return rows that it did not charge when a removal is undone", async () => {
    await publish();
    await removeBusinesses(fixture.context.db, [2000, 2500]);
    const rows = await interrupted(await start(), 2, async () => {
      await undoRemovals(fixture.context.db);
      await removeBusinesses(fixture.context.db, [2600]);
    });
    expect(rows).toEqual(without(2000, 2500, 2600));
    expect(await used()).toBe(COUNT - 3);
  });

  it("breaks if it cannot read the removal list, and refunds the rest", async () => {
    const version = await publish();
    const answer = await start();
    let taken = 0;
    const reading = (async () => {
      for await (const chunk of bodyOf(answer)) {
        taken += chunk.toString().split("\r\n").length - 1;
        if (taken === 1) {
          await fixture.context.db.pool.query(`DROP TABLE published.feed_${version}`);
          await removeBusinesses(fixture.context.db, [2000]);
        }
      }
    })();
    await expect(reading).rejects.toThrow(/no longer exists/);
    expect([taken, await used()]).toEqual([1, 0]);
  });
});
