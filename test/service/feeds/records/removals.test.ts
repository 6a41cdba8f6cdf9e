// A removal takes effect with the next request, on every matching row and on no other.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Caller } from "../../../../src/accounts/keys/caller.ts";
import type { FeedCode } from "../../../../src/feeds/catalogue.ts";
import { readRecords } from "../../../../src/feeds/records/records.ts";
import type { Context } from "../../../../src/platform/context.ts";
import { untilLockWait } from "../../../support/database.ts";
import {
  type FeedsFixture,
  filters,
  openFeedsFixture,
  rowsUsed,
} from "../../../support/feeds/feeds-fixture.ts";
import { feedRecord, publishFeed } from "../../../support/feeds/published-feed.ts";
import { lookedUp } from "../../../support/looked-up.ts";
import {
  blankContacts,
  removeBusinesses,
  renumberList,
  undoRemovals,
} from "../../../support/removals/removals.ts";
import { changeRows, putRows } from "../../../support/rows.ts";

const BROKERS = "us_brokers";
const SMALL = "us_small_carriers_active";
const PHONE = "3605550142";

let fixture: FeedsFixture;
let caller: Caller;
beforeEach(async () => {
  fixture = await openFeedsFixture();
  caller = await fixture.caller({ feeds: { [BROKERS]: null, [SMALL]: null }, rowsPerMonth: 1e9 });
});
afterEach(() => fixture.close());

/** Publishes companies with these USDOT numbers. Number 3 has a phone. */
const publish = (feedCode: FeedCode, usdots: readonly number[]): Promise<number> =>
  publishFeed(fixture.context.db, feedCode, {
    records: usdots.map((usdot) =>
      feedRecord(feedCode, { dot_number: String(usdot), state: "TX", phone: usdot === 3 ? PHONE : null }),
    ),
    asOf: "2026-11-20",
    now: fixture.clock.now(),
  });

interface Asked {
  feedCode?: FeedCode;
  context?: Context;
  version?: number;
  ifNoneMatch?: string;
  state?: string;
}

async function read({ feedCode = BROKERS, context = fixture.context, state, ...query }: Asked = {}) {
  const answer = await readRecords(context, caller, feedCode, {
    page: 1,
    page_size: 10,
    filters: filters(state === undefined ? {} : { state }),
    ...query,
  });
  const { data = [] } = JSON.parse(answer.body?.json.toString() ?? "{}");
  const usdots = data.map(({ dot_number }: { dot_number: string }) => Number(dot_number));
  return { status: answer.status, etag: answer.headers.ETag, usdots };
}

const later = (): Date => new Date(fixture.clock.now().getTime() + 1000);

describe("a removal", () => {
  it("removes the business from every process's next page, filtered or not, cached or not", async () => {
    await publish(BROKERS, [1, 2, 3]);
    const processes = [fixture.context, await fixture.openAnother()];
    for (const context of processes) {
      for (const state of [undefined, "TX"]) {
        expect((await read({ context, ...(state && { state }) })).usdots).toEqual([1, 2, 3]);
      }
    }
    await removeBusinesses(fixture.context.db, [2]);
    for (const context of processes) {
      for (const state of [undefined, "TX"]) {
        expect((await read({ context, ...(state && { state }) })).usdots).toEqual([1, 3]);
      }
    }
    expect((await read({ context: await fixture.openAnother() })).usdots).toEqual([1, 3]);
    await removeBusinesses(fixture.context.db, [1]);
    expect((await read({ state: "TX" })).usdots).toEqual([3]);
    await undoRemovals(fixture.context.db);
    for (const context of processes) expect((await read({ context })).usdots).toEqual([1, 2, 3]);
  });

  it("changes the entity tag of the versions that it matches, the same on every process, and no other tag", async () => {
    await publish(BROKERS, [1, 2, 3]);
    await publish(SMALL, [1, 3]);
    const [brokers, small] = [await read(), await read({ feedCode: SMALL })];
    await removeBusinesses(fixture.context.db, [2, 99]);
    expect((await read({ feedCode: SMALL, ifNoneMatch: small.etag })).status).toBe(304);
    const after = await read({ ifNoneMatch: brokers.etag });
    expect(after).toMatchObject({ status: 200, usdots: [1, 3] });
    expect(await read({ context: await fixture.openAnother() })).toEqual(after);
    // One more business, which is in neither version.
    await removeBusinesses(fixture.context.db, [98]);
    expect((await read({ ifNoneMatch: after.etag })).status).toBe(304);
    await undoRemovals(fixture.context.db);
    expect((await read({ ifNoneMatch: after.etag })).status).toBe(200);
    expect((await read({ ifNoneMatch: brokers.etag })).status).toBe(304);
  });

  it("removes it from versions that are read by number, replaced ones too", async () => {
    const old = await publish(BROKERS, [1, 2, 3]);
    const current = await publish(BROKERS, [2, 3, 4]);
    expect((await read({ version: old })).usdots).toEqual([1, 2, 3]);
    await removeBusinesses(fixture.context.db, [2]);
    expect((await read({ version: old })).usdots).toEqual([1, 3]);
    expect((await read({ version: current })).usdots).toEqual([3, 4]);
    // It is in the next version too.
    await publish(BROKERS, [2, 5]);
    expect((await read()).usdots).toEqual([5]);
  });

  it("makes its lookup equal to that of an unknown carrier", async () => {
    await publish(BROKERS, [1, 2]);
    await publish(SMALL, [2]);
    const look = (usdot: number) => lookedUp(fixture.context, caller, String(usdot));
    expect((await look(2)).records).toHaveLength(2);
    await removeBusinesses(fixture.context.db, [2]);
    const used = await rowsUsed(fixture.context, caller);
    await expect(look(2)).rejects.toMatchObject({
      code: "not_found",
      message: "None of your feeds has a record of USDOT number 2.",
    });
    expect((await look(1)).records).toHaveLength(1);
    expect((await rowsUsed(fixture.context, caller)).quota).toBe(used.quota + 1);
  });

  it("that comes between a request's two reads of the list is effective too", async () => {
    await publish(BROKERS, [1, 2, 3]);
    const { db } = fixture.context;
    // The lock stops the reader after it has read the list's number and before it reads the list.
    const { reader } = await db.transaction(async (client) => {
      await client.query("LOCK TABLE suppressed_business");
      const reading = read();
      await untilLockWait(db.bulkPool, "suppressed_business");
      await putRows(client, "suppressed_business", { usdot: 2 });
      await renumberList(client, 1);
      return { reader: reading };
    });
    expect((await reader).usdots).toEqual([1, 3]);
    expect((await read()).usdots).toEqual([1, 3]);
    await undoRemovals(db);
    expect((await read()).usdots).toEqual([1, 2, 3]);
  });

  it("is not confused with another one of the same number after a restore", async () => {
    await publish(BROKERS, [1, 2, 3]);
    await removeBusinesses(fixture.context.db, [2]);
    expect((await read()).usdots).toEqual([1, 3]);
    await fixture.context.db.transaction(async (client) => {
      await changeRows(client, "suppressed_business", { usdot: 3 });
      await renumberList(client, 0);
    });
    expect((await read()).usdots).toEqual([1, 2]);
  });

  it("keeps requests from being answered while the list cannot be read", async () => {
    await publish(BROKERS, [1, 2, 3]);
    await removeBusinesses(fixture.context.db, [2]);
    await fixture.context.db.pool.query("ALTER VIEW removal_list_business RENAME COLUMN usdot TO hidden");
    await expect(read()).rejects.toThrow(/usdot/);
    await fixture.context.db.pool.query("ALTER VIEW removal_list_business RENAME COLUMN hidden TO usdot");
    expect((await read()).usdots).toEqual([1, 3]);
  });
});

describe("a contact that is blanked after a version was published", () => {
  it("removes its rows from that version, and from no other", async () => {
    const old = await publish(BROKERS, [1, 2, 3]);
    await publish(SMALL, [1, 2]);
    const [brokers, small] = [await read(), await read({ feedCode: SMALL })];
    await blankContacts(fixture.context.db, ["2065550100", PHONE], later());
    expect(await read({ ifNoneMatch: brokers.etag })).toMatchObject({ status: 200, usdots: [1, 2] });
    expect((await read({ feedCode: SMALL, ifNoneMatch: small.etag })).status).toBe(304);
    await expect(lookedUp(fixture.context, caller, "3")).rejects.toMatchObject({
      code: "not_found",
    });
    // The next import's version is without the contact, so the row is back; the old version is unchanged.
    fixture.clock.advance(3_600_000);
    await publishFeed(fixture.context.db, BROKERS, {
      records: [feedRecord(BROKERS, { dot_number: "3" })],
      asOf: "2026-11-20",
      now: fixture.clock.now(),
    });
    expect((await read()).usdots).toEqual([3]);
    expect((await read({ version: old })).usdots).toEqual([1, 2]);
  });

  it("removes them also if the request was recorded shortly before, while the version was built", async () => {
    await publish(BROKERS, [1, 2, 3]);
    await blankContacts(fixture.context.db, [PHONE], new Date(fixture.clock.now().getTime() - 600_000));
    expect((await read()).usdots).toEqual([1, 2]);
  });

  it("is added to contacts and businesses that were removed before", async () => {
    await publish(BROKERS, [1, 2, 3]);
    await removeBusinesses(fixture.context.db, [1, 3]);
    expect((await read()).usdots).toEqual([2]);
    await blankContacts(fixture.context.db, [PHONE], later());
    expect((await read()).usdots).toEqual([2]);
    await undoRemovals(fixture.context.db);
    expect((await read()).usdots).toEqual([1, 2]);
  });
});
