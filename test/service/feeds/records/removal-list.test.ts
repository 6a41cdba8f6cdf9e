// The effect of the removal list on versions that are built with it, and on reports to operators.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Explanation, explainCarrier } from "../../../../src/carriers/explain/explain.ts";
import { openCandidates, openRemovalList } from "../../../../src/feeds/derive/candidates.ts";
import { type PublishedFeed, publishFeeds } from "../../../../src/feeds/publish/publish.ts";
import { listPublishedFeeds } from "../../../../src/feeds/versions/feeds-list.ts";
import { type FeedsFixture, openFeedsFixture } from "../../../support/feeds/feeds-fixture.ts";
import { putRegistryRow } from "../../../support/registry/registry-rows.ts";
import { everySourceOf } from "../../../support/registry/source-days.ts";
import {
  blankContacts,
  removeBusinesses,
  unblankContacts,
  undoRemovals,
} from "../../../support/removals/removals.ts";
import { putRows } from "../../../support/rows.ts";

const AS_OF = "2026-11-20";
const SMALL = "us_small_carriers_active";
const PHONE = "3605550142";
const NOW = new Date("2026-11-21T12:00:00Z");

let fixture: FeedsFixture;
beforeEach(async () => {
  fixture = await openFeedsFixture();
  await fixture.context.db.bulkTransaction(async (client) => {
    for (const [usdot, phone] of [
      [1001, PHONE],
      [1002, null],
      [1003, "2065550100"],
    ] as const) {
      await putRegistryRow(client, "census", { usdot, phone, email: phone && "info@acme.example" });
      await putRows(client, "authority", { docket: `MC${usdot}`, usdot });
    }
  });
});
afterEach(() => fixture.close());

async function publish(hasRegistryChanged: boolean): Promise<PublishedFeed> {
  const feeds = await fixture.context.db.bulkTransaction((client) =>
    publishFeeds(client, {
      sourceDays: everySourceOf(AS_OF),
      now: NOW,
      sharedContactLimit: 5,
      hasRegistryChanged,
    }),
  );
  return feeds.find(({ feed }) => feed === SMALL) as PublishedFeed;
}

async function built({ version }: PublishedFeed): Promise<Record<string, string | null>> {
  const { rows } = await fixture.context.db.pool.query<{ json: string }>(
    `SELECT json FROM published.feed_${version} ORDER BY pos`,
  );
  const records = rows.map(({ json }) => JSON.parse(json));
  return Object.fromEntries(records.map(({ dot_number, phone }) => [dot_number, phone]));
}

const verdict = ({ feeds }: Explanation) => feeds.find(({ feed }) => feed === SMALL);
const rowsServed = async () =>
  (await listPublishedFeeds(fixture.context)).find(({ feed }) => feed === SMALL)?.rows;

describe("a version", () => {
  it("is built without removed businesses, which are counted, and without blanked contacts", async () => {
    await removeBusinesses(fixture.context.db, [1001, 9999], NOW);
    await blankContacts(fixture.context.db, ["2065550100"], NOW);
    const published = await publish(true);
    expect(await built(published)).toEqual({ 1002: null, 1003: null });
    expect(published).toMatchObject({ rowsAfter: 2, leftOut: { "on the removal list": 1 } });
  });

  it("is kept for the same registry and list, and built again for a list that changed in any way", async () => {
    const whole = { 1001: PHONE, 1002: null, 1003: "2065550100" };
    expect(await built(await publish(true))).toEqual(whole);
    expect((await publish(false)).isNew).toBe(false);

    await removeBusinesses(fixture.context.db, [1001], NOW);
    const without = await publish(false);
    expect(without.isNew).toBe(true);
    expect(Object.keys(await built(without))).toEqual(["1002", "1003"]);
    expect((await publish(false)).isNew).toBe(false);

    await undoRemovals(fixture.context.db);
    expect(await built(await publish(false))).toEqual(whole);

    await blankContacts(fixture.context.db, [PHONE], NOW);
    expect(await built(await publish(false))).toEqual({ ...whole, 1001: null });
    await unblankContacts(fixture.context.db);
    expect(await built(await publish(false))).toEqual(whole);
  });

  it("uses the list as it was when the build began, so that an undone removal cannot stay in it", async () => {
    const before = await publish(true);
    const { db } = fixture.context;
    await db.bulkTransaction(async (client) => {
      const { hash } = await openRemovalList(client);
      await removeBusinesses(db, [1001], NOW);
      await openCandidates(client, AS_OF);
      expect((await client.query("SELECT FROM candidate WHERE removed_at IS NULL")).rowCount).toBe(3);
      await undoRemovals(db);
      expect(await openRemovalList(client)).toMatchObject({ hash });
    });
    expect((await publish(false)).version).toBe(before.version);
  });
});

describe("an operator", () => {
  it("shows that a business was removed and is not served, at once and after an import", async () => {
    await publish(true);
    expect(await rowsServed()).toBe(3);
    await removeBusinesses(fixture.context.db, [1001], NOW);
    const expected = {
      feed: SMALL,
      is_in: false,
      is_served: false,
      because: [
        "MC1001 (carrier of property): belongs to a business that is on the removal list since 2026-11-21",
      ],
    };
    for (const importAgain of [async () => {}, () => publish(false)]) {
      await importAgain();
      expect(await rowsServed()).toBe(2);
      const explanation = await explainCarrier(fixture.context, 1001);
      expect(explanation).toMatchObject({
        removal: { request: 1, since: NOW.toISOString() },
        authorities: [{ docket: "MC1001" }],
      });
      expect(verdict(explanation)).toMatchObject(expected);
    }
    expect((await explainCarrier(fixture.context, 1002)).removal).toBeNull();
  });

  it("shows a removed business that is not in the registry", async () => {
    await removeBusinesses(fixture.context.db, [4_040_404], NOW);
    expect(await explainCarrier(fixture.context, 4_040_404)).toMatchObject({
      census: null,
      authorities: [],
      removal: { request: 1 },
    });
  });

  it("shows which contact a removal blanked, and that its row waits for the next import", async () => {
    await publish(true);
    await blankContacts(fixture.context.db, [PHONE], NOW);
    const blanked = await explainCarrier(fixture.context, 1001);
    expect(blanked.blanked_contacts).toEqual([
      { field: "phone", value: PHONE, why: "on the removal list since 2026-11-21 (request 1)" },
    ]);
    expect(verdict(blanked)).toMatchObject({ is_in: true, is_served: false });
    expect(await rowsServed()).toBe(2);
    await publish(false);
    expect(verdict(await explainCarrier(fixture.context, 1001))).toMatchObject({
      is_in: true,
      is_served: true,
    });
    expect(await rowsServed()).toBe(3);
  });
});
