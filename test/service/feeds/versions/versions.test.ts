import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Caller } from "../../../../src/accounts/keys/caller.ts";
import { exportFeed } from "../../../../src/feeds/export/export.ts";
import { dropExpiredVersions, expireReplacedVersions } from "../../../../src/feeds/publish/old-versions.ts";
import { readRecords } from "../../../../src/feeds/records/records.ts";
import type { Context } from "../../../../src/platform/context.ts";
import { untilLockWait } from "../../../support/database.ts";
import { type FeedsFixture, filters, openFeedsFixture } from "../../../support/feeds/feeds-fixture.ts";
import { feedRecord, publishFeed } from "../../../support/feeds/published-feed.ts";
import { removeRows } from "../../../support/rows.ts";

const BROKERS = "us_brokers";

let fixture: FeedsFixture;
let caller: Caller;
beforeEach(async () => {
  fixture = await openFeedsFixture();
  caller = await fixture.caller({
    feeds: { [BROKERS]: null, us_small_carriers_active: null },
    rowsPerMonth: 1e9,
  });
});
afterEach(() => fixture.close());

/** Publishes a version whose records have its name. */
const publish = (
  name: string,
  count: number,
  asOf = "2026-11-20",
  how: { startsAnew?: boolean } = {},
): Promise<number> =>
  publishFeed(fixture.context.db, BROKERS, {
    ...how,
    records: Array.from({ length: count }, (_, index) =>
      feedRecord(BROKERS, { company: name, dot_number: String(index + 1), state: index % 2 ? "TX" : "CA" }),
    ),
    asOf,
    now: fixture.clock.now(),
  });

const read = async (
  asked: { page?: number; version?: number; state?: string; feedCode?: string; context?: Context } = {},
) => {
  const { page = 1, version, state, feedCode = BROKERS, context = fixture.context } = asked;
  const answer = await readRecords(context, caller, feedCode, {
    page,
    page_size: 10,
    filters: filters(state === undefined ? {} : { state }),
    ...(version === undefined ? {} : { version }),
  });
  const body = JSON.parse(answer.body?.json.toString() ?? "null");
  const names = new Set<string>(body.data.map((record: { company: string }) => record.company));
  return { ...body, names: [...names], etag: answer.headers.ETag };
};

const problem = (code: string, detail: RegExp) =>
  expect.objectContaining({ name: "ProblemError", code, message: expect.stringMatching(detail) });

describe("versions", () => {
  it("are served at once by every process, with another entity tag", async () => {
    await publish("OLD", 20);
    const another = await fixture.openAnother();
    const before = await read();
    expect((await read({ context: another })).names).toEqual(["OLD"]);
    await publish("NEW", 20);
    for (const context of [fixture.context, another]) {
      for (const state of [undefined, "TX"]) {
        const after = await read({ context, ...(state === undefined ? {} : { state }) });
        expect(after.names).toEqual(["NEW"]);
        expect(after.etag).not.toBe(before.etag);
      }
    }
  });

  // A failover to a standby that lagged loses the newest version, and the next one may get its number.
  it("with the number of a lost one are not confused with it", async () => {
    const lost = await publish("LOST", 20);
    expect((await read({ state: "TX" })).data).toHaveLength(10);
    const { pool } = fixture.context.db;
    await removeRows(pool, "feed_current");
    await removeRows(pool, "feed_version");
    await pool.query(`DROP TABLE published.feed_${lost}`);
    await pool.query(`ALTER SEQUENCE feed_version_id_seq RESTART WITH ${lost}`);
    fixture.clock.advance(1_000);
    expect(await publish("NEXT", 3)).toBe(lost);
    const answer = await read({ state: "TX" });
    expect(answer.names).toEqual(["NEXT"]);
    expect(answer.data).toHaveLength(1);
  });

  it("are never mixed in one answer while they are published", async () => {
    await publish("V0", 30);
    let isOver = false;
    const mixed: unknown[] = [];
    const asOfs: string[] = [];
    const walker = async (state: string | undefined) => {
      while (!isOver) {
        const asked = state === undefined ? {} : { state };
        const first = await read(asked);
        const second = await read({ ...asked, page: 2, version: first.meta.version });
        for (const body of [first, second]) {
          if (body.names.length > 1 || body.meta.version !== first.meta.version) mixed.push(body);
        }
        if (second.names[0] !== undefined && second.names[0] !== first.names[0]) mixed.push(second);
        asOfs.push(first.as_of);
        const answer = await exportFeed(
          fixture.context,
          { ...caller, keyId: String(Math.random()) },
          BROKERS,
          {
            filters: filters(asked),
          },
        );
        const lines = Buffer.concat((await answer.body?.toArray()) ?? [])
          .toString()
          .split("\r\n")
          .slice(1, -1);
        if (new Set(lines.map((line) => line.split(",")[0])).size !== 1) mixed.push(lines);
      }
    };
    const walkers = [undefined, "TX", undefined, "CA"].map(walker);
    for (let round = 1; round <= 30; round++) await publish(`V${round}`, 20 + (round % 3) * 10);
    isOver = true;
    await Promise.all(walkers);
    expect(mixed).toEqual([]);
    expect(asOfs.length).toBeGreaterThan(0);
  });

  it("can be read by number for 24 hours after they were replaced", async () => {
    const old = await publish("OLD", 20);
    await publish("NEW", 20);
    fixture.clock.advance(24 * 3_600_000);
    expect((await read({ version: old, page: 2 })).names).toEqual(["OLD"]);
    fixture.clock.advance(1);
    await expect(read({ version: old })).rejects.toEqual(
      problem("invalid_filter", /version \d+ .* 24 hours/),
    );
  });

  it("are refused by number when unknown or another feed's", async () => {
    const version = await publish("OLD", 20);
    await publishFeed(fixture.context.db, "us_small_carriers_active", {
      records: [],
      asOf: "2026-11-20",
      now: fixture.clock.now(),
    });
    for (const asked of [{ version: version + 100 }, { version, feedCode: "us_small_carriers_active" }]) {
      await expect(read(asked)).rejects.toEqual(problem("invalid_filter", /no longer exists/));
    }
    expect((await read({ version })).names).toEqual(["OLD"]);
  });

  it("that are replaced become stale by their own day", async () => {
    const old = await publish("OLD", 20, "2026-11-15");
    await publish("NEW", 20, "2026-11-20");
    await expect(read({ version: old })).rejects.toEqual(problem("stale_source", /2026-11-15/));
  });

  it("dropped between the two reads of a request are replaced by the next one, without an error", async () => {
    const old = await publish("OLD", 20);
    const { db } = fixture.context;
    // The lock stops the reader after it has read the current version's number and before it reads the rows.
    const reading = await db.transaction(async (client) => {
      await client.query(`LOCK TABLE published.feed_${old}`);
      const reader = read();
      await untilLockWait(db.bulkPool);
      // It is not compared with the locked version.
      await publish("NEW", 20, "2026-11-20", { startsAnew: true });
      await expireReplacedVersions(client);
      expect(await dropExpiredVersions(client, fixture.clock.now())).toBe(1);
      return { reader };
    });
    expect((await reading.reader).names).toEqual(["NEW"]);
    await expect(read({ version: old })).rejects.toEqual(problem("invalid_filter", /no longer exists/));
  });
});
