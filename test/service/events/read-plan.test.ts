// The cost of a page as the number of rows that the database reads: at any position, for common and rare events.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { position, readFar, readNear, readOfBusinesses } from "../../../src/generated/sql/events.ts";
import { nodesOf, type PlanNode, planOf } from "../../support/database/query-plan.ts";
import { putUnevenEvents } from "../../support/events/events.ts";
import { type FeedsFixture, openFeedsFixture } from "../../support/feeds/feeds-fixture.ts";
import { removeBusinesses } from "../../support/removals/removals.ts";

const EVENTS = 200_000;
const LIMIT = 101;
const REMOVED = 1_000;
const NEAR_SQL = readNear.text;
const FAR_SQL = readFar.text;
const OWN_SQL = readOfBusinesses.text;
const POSITION_SQL = position.text;

let fixture: FeedsFixture;
beforeAll(async () => {
  fixture = await openFeedsFixture();
  // An import every 2,000 events. Three types are common; one is only in GU; one is only at the very end.
  await putUnevenEvents(fixture.context, EVENTS);
  // Each has one event, in every part of the table.
  const every = EVENTS / REMOVED;
  await removeBusinesses(
    fixture.context.db,
    Array.from({ length: REMOVED }, (_, index) => (index + 1) * every - 1),
  );
});
afterAll(() => fixture.close());

/** The number of rows that the statement reads, and its kinds of scan. */
async function costOf(sql: string, parameters: unknown[]) {
  const plan = await planOf(fixture.context.db.pool, "ANALYZE", sql, parameters);
  const scans = nodesOf(plan).filter(
    (node) => node["Relation Name"] === "event" || node["Node Type"] === "Bitmap Index Scan",
  );
  const looked = (plan: PlanNode) =>
    (plan["Actual Rows"] + (plan["Rows Removed by Filter"] ?? 0)) * plan["Actual Loops"];
  return {
    kinds: new Set(scans.map((plan) => plan["Node Type"])),
    rows: scans.reduce((sum, plan) => sum + looked(plan), 0),
    byType: new Set(
      scans.filter((plan) => plan["Index Name"]?.includes("type")).map((plan) => plan["Node Type"]),
    ),
  };
}

const TYPES = [
  "new_authority_granted",
  "insurance_cancellation_suspension",
  "revocation_pending",
  "reinstated",
  "authority_inactive",
];
const SCOPES: [name: string, scope: string[]][] = [
  ["every type everywhere", TYPES],
  ["one common type", ["reinstated"]],
  ["one rare type", ["revocation_pending"]],
  ["one rare type in a rare state", ["insurance_cancellation_suspension GU"]],
  ["a common type in a state that has none", ["reinstated GU"]],
  ["types that do not occur", ["sold"]],
  ["nothing", []],
  [
    "every type in eight states",
    TYPES.flatMap((type) =>
      ["TX", "CA", "OH", "GU", "PR", "AK", "HI", "WY"].map((state) => `${type} ${state}`),
    ),
  ],
];
const REACH = 10_000;
/** Those within reach, and the newest. */
const MOST_NEAR = REACH + 1;
/** Up to a page for each of at most 40 pairs, then the page; and the events of removed businesses among them. */
const MOST_FAR = 40 * LIMIT + 2 * LIMIT + REMOVED;

for (const [state, settings] of [
  ["before the table was ever analysed", "SELECT"],
  ["after it was", "ANALYZE event"],
] as const) {
  describe(`a page of 200,000 events, ${state}`, () => {
    beforeAll(() => fixture.context.db.bulkPool.query(settings));

    it.each(SCOPES)("costs the same at any position: %s", async (_name, scope) => {
      for (const position of [0, EVENTS / 2, EVENTS - 50, EVENTS]) {
        const near = await costOf(NEAR_SQL, [position, REACH, LIMIT, scope]);
        expect([...near.kinds]).not.toContain("Seq Scan");
        expect(near.rows).toBeLessThanOrEqual(MOST_NEAR);
        const far = await costOf(FAR_SQL, [position + REACH, LIMIT, scope]);
        expect([...far.kinds]).not.toContain("Seq Scan");
        expect(far.rows).toBeLessThan(MOST_FAR);
        // They are found in indexes alone.
        expect(far.byType).toEqual(new Set(["Index Only Scan"]));
      }
    });

    it.each(SCOPES)("reads no other carrier's events: %s", async (_name, scope) => {
      const usdots = Array.from({ length: 50 }, (_, index) => 1 + index * 997);
      for (const position of [0, EVENTS / 2, EVENTS]) {
        const { kinds, rows } = await costOf(OWN_SQL, [position, LIMIT, scope, usdots]);
        expect([...kinds]).not.toContain("Seq Scan");
        // Each has an event or two. Some plans find them in the index first.
        expect(rows).toBeLessThanOrEqual(4 * usdots.length);
      }
    });

    it("finds the start for any time in few steps", async () => {
      for (const since of ["1970-01-01", "2026-08-01", "2026-09-15", "2026-11-08", "2027-01-01"]) {
        const { kinds, rows } = await costOf(POSITION_SQL, [Date.parse(since)]);
        expect([...kinds]).not.toContain("Seq Scan");
        expect(rows).toBeLessThan(10);
      }
    });
  });
}
