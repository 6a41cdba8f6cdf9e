import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FeedCode } from "../../../src/feeds/catalogue.ts";
import { type FeedsFixture, openFeedsFixture, rowsUsed } from "../../support/feeds/feeds-fixture.ts";
import { type FeedRecord, feedRecord, publishFeed } from "../../support/feeds/published-feed.ts";
import { lookedUp } from "../../support/looked-up.ts";

const SMALL = "us_small_carriers_active";
const BROKERS = "us_brokers";

let fixture: FeedsFixture;
beforeAll(async () => {
  fixture = await openFeedsFixture();
  await publish(BROKERS, "2026-11-20", [
    { dot_number: "77", entity_type: "broker", state: "TX" },
    { dot_number: "77", entity_type: "freight_forwarder", state: "TX" },
    { dot_number: "78", company: "ONLY BROKER", state: "CA" },
  ]);
  await publish(SMALL, "2026-11-15", [
    { dot_number: "77", company: "ACME SMALL", state: "CA", power_units: 3 },
  ]);
});
afterAll(() => fixture.close());

const publish = (feedCode: FeedCode, asOf: string, records: FeedRecord[]): Promise<number> =>
  publishFeed(fixture.context.db, feedCode, {
    asOf,
    now: fixture.clock.now(),
    records: records.map((record) => feedRecord(feedCode, record)),
  });

const at = async <T>(instant: string, run: () => Promise<T>): Promise<T> => {
  fixture.clock.set(instant);
  return run().finally(() => fixture.clock.set("2026-11-21T12:00:00Z"));
};
/** A day on which both versions are fresh. */
const EARLY = "2026-11-20T12:00:00Z";

describe("the lookup of a carrier", () => {
  it("returns its records of every feed of the plan, in the order of the feeds, and charges each", async () => {
    const feeds = { [BROKERS]: null, [SMALL]: null, us_revocation_pending: null };
    const caller = await fixture.caller({ feeds });
    const found = await at(EARLY, () => lookedUp(fixture.context, caller, "0077"));
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
    expect(await rowsUsed(fixture.context, caller)).toEqual({ api: 3, export: 0, quota: 3 });
  });

  it("is not_found for an unknown carrier, another feed's and another state's alike, for free", async () => {
    const nowhere = await fixture.caller({ feeds: {} });
    const unpublished = await fixture.caller({ feeds: { us_revocation_pending: null } });
    const caller = await fixture.caller({ feeds: { [SMALL]: ["CA"], [BROKERS]: ["NY"] } });
    for (const [who, usdot] of [
      [caller, "99999999"],
      [caller, "0"],
      [caller, "78"],
      [nowhere, "78"],
      [unpublished, "78"],
    ] as const) {
      await expect(lookedUp(fixture.context, who, usdot)).rejects.toMatchObject({
        code: "not_found",
        message: `None of your feeds has a record of USDOT number ${Number(usdot)}.`,
      });
      expect((await rowsUsed(fixture.context, who)).quota).toBe(0);
    }
  });

  it("is limited to the states of each feed", async () => {
    const caller = await fixture.caller({ feeds: { [SMALL]: ["TX"], [BROKERS]: ["TX"] } });
    const { records } = await at(EARLY, () => lookedUp(fixture.context, caller, "77"));
    expect(records.map(({ feed }) => feed)).toEqual([BROKERS, BROKERS]);
  });

  it("is stale when one of the caller's feeds with the carrier is stale, and only then", async () => {
    const both = await fixture.caller({ feeds: { [SMALL]: null, [BROKERS]: null } });
    const brokers = await fixture.caller({ feeds: { [SMALL]: ["TX"], [BROKERS]: null } });
    await expect(lookedUp(fixture.context, both, "77")).rejects.toMatchObject({
      code: "stale_source",
      message: expect.stringContaining(SMALL),
    });
    expect((await lookedUp(fixture.context, brokers, "77")).records).toHaveLength(2);
    expect((await lookedUp(fixture.context, both, "78")).company).toBe("ONLY BROKER");
    expect((await rowsUsed(fixture.context, both)).quota).toBe(1);
  });

  it("is refused when its records exceed the quota", async () => {
    const caller = await fixture.caller({ feeds: { [BROKERS]: null }, rowsPerMonth: 1 });
    await expect(lookedUp(fixture.context, caller, "77")).rejects.toMatchObject({
      code: "quota_exceeded",
    });
    expect((await lookedUp(fixture.context, caller, "78")).records).toHaveLength(1);
  });
});
