import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lookUpFeedRecords } from "../../../src/carriers/carrier-lookup.ts";
import type { FeedCode } from "../../../src/feeds/catalogue.ts";
import { type FeedsRoom, openFeedsRoom, rowsUsed } from "../../support/feeds/feeds-room.ts";
import { type FeedRecord, feedRecord, publishFeed } from "../../support/feeds/published-feed.ts";

const SMALL = "us_small_carriers_active";
const BROKERS = "us_brokers";

let room: FeedsRoom;
beforeAll(async () => {
  room = await openFeedsRoom();
  await publish(BROKERS, "2026-11-20", [
    { dot_number: "77", entity_type: "broker", state: "TX" },
    { dot_number: "77", entity_type: "freight_forwarder", state: "TX" },
    { dot_number: "78", company: "ONLY BROKER", state: "CA" },
  ]);
  await publish(SMALL, "2026-11-15", [
    { dot_number: "77", company: "ACME SMALL", state: "CA", power_units: 3 },
  ]);
});
afterAll(() => room.close());

const publish = (feedCode: FeedCode, asOf: string, records: FeedRecord[]): Promise<number> =>
  publishFeed(room.context.db, feedCode, {
    asOf,
    now: room.clock.now(),
    records: records.map((record) => feedRecord(feedCode, record)),
  });

const at = async <T>(instant: string, run: () => Promise<T>): Promise<T> => {
  room.clock.set(instant);
  return run().finally(() => room.clock.set("2026-11-21T12:00:00Z"));
};
/** A day on which both versions are fresh. */
const EARLY = "2026-11-20T12:00:00Z";

describe("looking up a carrier", () => {
  it("gives its records of every feed of the plan, in the order of the feeds, and charges each", async () => {
    const feeds = { [BROKERS]: null, [SMALL]: null, us_revocation_pending: null };
    const caller = await room.caller({ feeds });
    const found = await at(EARLY, () => lookUpFeedRecords(room.context, caller, "0077"));
    expect(found.usdot).toBe("77");
    expect(found.company).toBe("ACME SMALL");
    expect(found.records.map(({ feed, as_of }) => [feed, as_of])).toEqual([
      [SMALL, "2026-11-15"],
      [BROKERS, "2026-11-20"],
      [BROKERS, "2026-11-20"],
    ]);
    expect(found.records[0]?.record).toEqual(
      feedRecord(SMALL, { dot_number: "77", company: "ACME SMALL", state: "CA", power_units: 3 }),
    );
    expect(found.records.map(({ record }) => "entity_type" in record && record.entity_type)).toEqual([
      false,
      "broker",
      "freight_forwarder",
    ]);
    expect(await rowsUsed(room.context, caller)).toEqual({ api: 3, export: 0, quota: 3 });
  });

  it("answers not_found alike for no such carrier, another feed's and another state's, for free", async () => {
    const nowhere = await room.caller({ feeds: {} });
    const unpublished = await room.caller({ feeds: { us_revocation_pending: null } });
    const caller = await room.caller({ feeds: { [SMALL]: ["CA"], [BROKERS]: ["NY"] } });
    for (const [who, usdot] of [
      [caller, "99999999"],
      [caller, "0"],
      [caller, "78"],
      [nowhere, "78"],
      [unpublished, "78"],
    ] as const) {
      await expect(lookUpFeedRecords(room.context, who, usdot)).rejects.toMatchObject({
        code: "not_found",
        message: `None of your feeds has a record of USDOT number ${Number(usdot)}.`,
      });
      expect((await rowsUsed(room.context, who)).quota).toBe(0);
    }
  });

  it("keeps to the states of each feed by itself", async () => {
    const caller = await room.caller({ feeds: { [SMALL]: ["TX"], [BROKERS]: ["TX"] } });
    const { records } = await at(EARLY, () => lookUpFeedRecords(room.context, caller, "77"));
    expect(records.map(({ feed }) => feed)).toEqual([BROKERS, BROKERS]);
  });

  it("is stale when a feed in which the carrier stands for the caller is, and only then", async () => {
    const both = await room.caller({ feeds: { [SMALL]: null, [BROKERS]: null } });
    const brokers = await room.caller({ feeds: { [SMALL]: ["TX"], [BROKERS]: null } });
    await expect(lookUpFeedRecords(room.context, both, "77")).rejects.toMatchObject({
      code: "stale_source",
      message: expect.stringContaining(SMALL),
    });
    expect((await lookUpFeedRecords(room.context, brokers, "77")).records).toHaveLength(2);
    expect((await lookUpFeedRecords(room.context, both, "78")).company).toBe("ONLY BROKER");
    expect((await rowsUsed(room.context, both)).quota).toBe(1);
  });

  it("is refused when its records exceed the quota", async () => {
    const caller = await room.caller({ feeds: { [BROKERS]: null }, rowsPerMonth: 1 });
    await expect(lookUpFeedRecords(room.context, caller, "77")).rejects.toMatchObject({
      code: "quota_exceeded",
    });
    expect((await lookUpFeedRecords(room.context, caller, "78")).records).toHaveLength(1);
  });
});
