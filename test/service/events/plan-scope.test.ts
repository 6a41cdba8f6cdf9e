// The scope of a request is computed from its caller's plan, that of a delivery by plan_sees_event in the database.
// Both must give every plan the same events.
import { randomInt } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { CARRIED_TYPES, EVENT_TYPES } from "../../../src/events/event-types.ts";
import { planScope, scopeParameter } from "../../../src/events/scope.ts";
import { FEEDS } from "../../../src/feeds/catalogue.ts";
import { openAccount } from "../../support/accounts.ts";
import { type FeedsFixture, openFeedsFixture } from "../../support/feeds/feeds-fixture.ts";

const STATES = ["CA", "GU", "TX"];
const seed = randomInt(1_000_000);

let fixture: FeedsFixture;
beforeAll(async () => {
  fixture = await openFeedsFixture();
});
afterAll(() => fixture.close());

/** Each type and state, as the two functions decide about it. */
const DECISIONS_SQL = `
  SELECT type, state, scope_has_event($1, type, state) AS "byScope",
    EXISTS (SELECT FROM plan_sees_event($2, type, state, $3)) AS "byPlan"
  FROM unnest($4::text[]) AS type CROSS JOIN unnest($5::text[]) AS state`;

it(`requests and deliveries give a plan the same events (seed ${seed})`, async () => {
  const plan = fc.dictionary(
    fc.constantFrom(...FEEDS.map(({ code }) => code)),
    fc.option(fc.subarray(STATES, { minLength: 1 })),
  );
  let seen = 0;
  await fc.assert(
    fc.asyncProperty(plan, async (feeds) => {
      const { planCode } = await openAccount(fixture.context, { feeds });
      const scope = planScope({ feeds: new Map(Object.entries(feeds)) });
      const { rows } = await fixture.context.db.pool.query<Record<"byScope" | "byPlan", boolean>>(
        DECISIONS_SQL,
        [
          scopeParameter({}, { accountId: 1 }, scope),
          planCode,
          CARRIED_TYPES,
          EVENT_TYPES,
          [...STATES, "NY", null],
        ],
      );
      expect(rows).toHaveLength(EVENT_TYPES.length * 5);
      for (const row of rows) expect(row).toMatchObject({ byPlan: row.byScope });
      seen += rows.filter(({ byPlan }) => byPlan).length;
    }),
    { seed, numRuns: 40 },
  );
  expect(seen).toBeGreaterThan(0);
});

it("gives a plan without API access no event by webhook", async () => {
  const { planCode } = await openAccount(fixture.context, { apiAccess: false, feeds: { us_brokers: null } });
  const { rows } = await fixture.context.db.pool.query(
    "SELECT FROM plan_sees_event($1, 'reinstated', 'TX', $2)",
    [planCode, CARRIED_TYPES],
  );
  expect(rows).toEqual([]);
});
