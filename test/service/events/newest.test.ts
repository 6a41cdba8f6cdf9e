import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EventType } from "../../../src/events/event-types.ts";
import { newestEvents } from "../../../src/events/newest.ts";
import { putEvents } from "../../support/events/events.ts";
import { type FeedsFixture, openFeedsFixture, rowsUsed } from "../../support/feeds/feeds-fixture.ts";

let fixture: FeedsFixture;
beforeAll(async () => {
  fixture = await openFeedsFixture();
});
afterAll(() => fixture.close());

const event = (usdot: number, type: EventType, state: string | null) =>
  putEvents(fixture.context.db, [
    {
      type,
      usdot,
      docket: "MC1",
      state,
      data: { legal_name: "ACME", reason: "Granted" },
      occurredOn: "2026-11-17",
      detectedAt: "2026-11-18T11:20:05Z",
    },
  ]);

describe("the newest events of a carrier", () => {
  it("have the contract's shape, at most 20, newest first, and are free", async () => {
    for (let count = 0; count < 25; count++) await event(7, "new_authority_granted", "TX");
    const caller = await fixture.caller({ feeds: { us_brokers: null } });
    const events = await newestEvents(fixture.context, caller, "07");
    expect(events).toHaveLength(20);
    expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => (events[0]?.id ?? 0) - index));
    expect(events[0]).toEqual({
      id: expect.any(Number),
      type: "new_authority_granted",
      country: "US",
      usdot: "7",
      docket: "MC1",
      state: "TX",
      occurred_at: "2026-11-17",
      detected_at: "2026-11-18T11:20:05.000Z",
      source_dataset: "authority_history",
      verify_method: "registry_record",
      data: { legal_name: "ACME", reason: "Granted" },
    });
    expect((await rowsUsed(fixture.context, caller)).quota).toBe(0);
  });

  it("have types that a feed of the plan has, in that feed's states", async () => {
    await event(8, "new_authority_granted", "TX");
    await event(8, "authority_inactive", "TX");
    await event(8, "authority_inactive", "CA");
    await event(8, "authority_inactive", null);
    await event(8, "revocation_pending", "TX");
    const seenBy = async (feeds: Record<string, string[] | null>) =>
      (await newestEvents(fixture.context, await fixture.caller({ feeds }), "8")).map(({ type, state }) => [
        type,
        state,
      ]);
    const inactive = (state: string | null) => ["authority_inactive", state];
    const granted = ["new_authority_granted", "TX"];
    expect(await seenBy({})).toEqual([]);
    expect(await seenBy({ us_insurance_lapse_alerts: null })).toEqual([]);
    expect(await seenBy({ us_new_authority_weekly: null })).toEqual([granted]);
    expect(await seenBy({ us_new_authority_weekly: ["CA"] })).toEqual([]);
    expect(await seenBy({ us_small_carriers_active: null })).toEqual([null, "CA", "TX"].map(inactive));
    expect(await seenBy({ us_small_carriers_active: ["CA"], us_new_authority_weekly: ["TX"] })).toEqual([
      inactive("CA"),
      granted,
    ]);
    expect(await seenBy({ us_small_carriers_active: ["CA"], us_brokers: ["TX"] })).toEqual([
      inactive("CA"),
      inactive("TX"),
      granted,
    ]);
    expect(await seenBy({ us_small_carriers_active: ["CA"], us_revocation_pending: null })).toEqual([
      ["revocation_pending", "TX"],
      inactive(null),
      inactive("CA"),
      inactive("TX"),
    ]);
  });
});
