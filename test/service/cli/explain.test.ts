import { afterAll, beforeAll, expect, it } from "vitest";
import { settableClock } from "../../support/clock.ts";
import { openTestContext } from "../../support/context.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { type Printed, runTdf } from "../../support/processes/command.ts";
import { putRegistryRow } from "../../support/registry/registry-rows.ts";
import { removeBusinesses } from "../../support/removals/removals.ts";
import { putRows } from "../../support/rows.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  const context = await openTestContext(database.url, settableClock("2026-11-20T12:00:00Z"));
  await context.db.bulkTransaction(async (client) => {
    await putRegistryRow(client, "census", { usdot: 1001, phone: "3605550142" });
    await putRegistryRow(client, "agent_contact", { kind: "phone", value: "3605550142", shipped: false });
    await putRows(client, "authority", {
      docket: "MC3",
      authority_class: "carrier_property",
      usdot: 1003,
      granted_on: "2026-11-17",
      first_seen_on: "2026-11-20",
      in_motus: true,
    });
    await putRows(client, "authority", {
      docket: "MC1",
      authority_class: "broker",
      usdot: 1001,
      op_auth_type: "BROKER",
      status: "inactive",
      status_source: "legacy",
      granted_on: null,
      revocation_pending: false,
      first_seen_on: "2026-01-01",
      in_motus: false,
    });
  });
  await removeBusinesses(context.db, [1002], new Date("2026-11-19T08:00:00Z"));
  await context.db.close();
});
afterAll(() => database.drop());

/** The output of `tdf explain` on each stream, and its exit status. */
const explain = (...words: string[]): Promise<Printed> =>
  runTdf({ DATABASE_URL: database.url }, "explain", ...words);

it("prints a carrier's facts, blanked contacts, authorities and feeds for people", async () => {
  const { out, err, status } = await explain("00001001");
  expect({ err, status }).toEqual({ err: "", status: 0 });
  expect(out.split("\n")).toEqual([
    "USDOT number 1001: EXAMPLE FREIGHT LLC",
    "  status_code A, power_units 3, drivers 3, city AUSTIN, state TX, country US",
    "  phone 3605550142 is blanked: an agent's: its number is on the list",
    "",
    "MC1 broker (BROKER): inactive, by legacy",
    "  decided by the legacy registry: no Motus file ever named it",
    "  no grant is on record",
    "  first seen on 2026-01-01: no event is made of anything earlier",
    "",
    ...["us_new_authority_weekly", "us_small_carriers_active", "us_revocation_pending"].flatMap(notLive),
    ...["us_insurance_lapse_alerts", "us_brokers"].flatMap(notLive),
    "",
  ]);
});

const notLive = (feed: string): string[] => [`${feed}: not live`, "  the feed is not live yet"];

it("says that the grant of an authority that appeared some days later may have an event", async () => {
  expect((await explain("1003")).out).toContain(
    "\n  first seen on 2026-11-20: of anything earlier, only its first grant, on 2026-11-17, may have an event\n",
  );
});

it("says in its second line that a business is on the removal list", async () => {
  const { out } = await explain("1002");
  expect(out.split("\n").slice(0, 2)).toEqual([
    "USDOT number 1002: not in the census",
    "  on the removal list since 2026-11-19T08:00:00.000Z (request 1): no feed has it, none of its events is shown",
  ]);
});

it("prints the same as JSON", async () => {
  const { out } = await explain("1001", "--json");
  expect(JSON.parse(out)).toMatchObject({
    usdot: 1001,
    authorities: [{ docket: "MC1", status: "inactive" }],
    feeds: [{ feed: "us_new_authority_weekly", is_in: false, version: null }, {}, {}, {}, {}],
  });
});

it.each([
  ["4040404", /^The registry has no USDOT number 4040404: .*\n$/],
  ["MC1", /^"MC1" is no USDOT number: give 1 to 8 digits\.\n$/],
  ["0", /^"0" is no USDOT number/],
  ["123456789", /^"123456789" is no USDOT number/],
])("refuses %s with one sentence", async (usdot, sentence) => {
  const { out, err, status } = await explain(usdot);
  expect({ out, status }).toEqual({ out: "", status: 2 });
  expect(err).toMatch(sentence);
});
