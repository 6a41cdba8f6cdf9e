import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { updateAuthorities } from "../../src/carriers/authorities.ts";
import { openTouchedDockets } from "../../src/carriers/merge.ts";
import { findSharedContacts } from "../../src/carriers/shared-contacts.ts";
import type { FeedCode } from "../../src/feeds/catalogue.ts";
import { publishFeeds } from "../../src/feeds/publish/publish.ts";
import { versionTable } from "../../src/feeds/version-table.ts";
import type { Context } from "../../src/platform/context.ts";
import { settableClock } from "../support/clock.ts";
import { openTestContext } from "../support/context.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { putRegistryRow } from "../support/registry-rows.ts";

const AS_OF = "2026-11-20";

let database: TestDatabase;
let context: Context;

beforeAll(async () => {
  database = await createTestDatabase();
  context = await openTestContext(database.url, settableClock(`${AS_OF}T12:00:00Z`));
});

afterAll(async () => {
  await context.db.close();
  await database.drop();
});

type Row = Parameters<typeof putRegistryRow>[2];
type Rows = readonly (readonly [table: string, row: Row])[];
type FeedRecord = Record<string, string | number | boolean | null>;

/** The records each feed would hold if the registry were these rows; everything is rolled back afterwards. */
async function feedsOf(rows: Rows, asOf = AS_OF): Promise<Partial<Record<FeedCode, FeedRecord[]>>> {
  const client = await context.db.bulkPool.connect();
  try {
    await client.query("BEGIN");
    await openTouchedDockets(client);
    for (const [table, row] of rows) await putRegistryRow(client, table, row);
    await client.query(
      "INSERT INTO touched_docket SELECT docket FROM motus_carrier UNION SELECT docket FROM legacy_carrier",
    );
    await updateAuthorities(client, { asOf, previousAsOf: null });
    await findSharedContacts(client);
    const published = await publishFeeds(client, {
      asOf,
      now: context.clock.now(),
      hasRegistryChanged: true,
    });
    const feeds: Partial<Record<FeedCode, FeedRecord[]>> = {};
    for (const { feed, version } of published) {
      const { rows: texts } = await client.query<{ json: string }>(
        `SELECT json FROM ${versionTable(version)} ORDER BY pos`,
      );
      feeds[feed] = texts.map(({ json }) => JSON.parse(json) as FeedRecord);
    }
    return feeds;
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
}

/** A company with an active authority in Motus and a census row. */
const company = (usdot: number, census: Row = {}, authority: Row = {}): Rows => [
  ["census", { usdot, ...census }],
  ["motus_carrier", { usdot, docket: `MC${usdot}`, ...authority }],
];

const grant = (usdot: number, changedOn: string): Rows => [
  ["motus_authhist", { usdot, docket: `MC${usdot}`, changed_on: changedOn }],
];

const dotNumbers = (records: FeedRecord[] | undefined) => records?.map((record) => record.dot_number);

describe("us_new_authority_weekly", () => {
  const included = async (...rows: Rows[]) =>
    dotNumbers((await feedsOf(rows.flat())).us_new_authority_weekly);

  it("holds the 28 days up to its as-of day, newest first", async () => {
    expect(
      await included(
        ...[company(1001), grant(1001, "2026-10-24")],
        ...[company(1002), grant(1002, "2026-10-23")],
        ...[company(1003), grant(1003, "2026-11-20")],
        ...[company(1004), grant(1004, "2026-11-21")],
      ),
    ).toEqual(["1003", "1001"]);
  });

  it.each<[string, Row, Row]>([
    ["an inactive USDOT number", { status_code: "I" }, {}],
    ["an authority that is not active", {}, { status: "inactive" }],
    ["a broker", {}, { authority_class: "broker" }],
    ["a passenger carrier", {}, { authority_class: "passenger" }],
    ["a company abroad", { country: "MX", state: "BC" }, {}],
    ["a test record", { legal_name: "MOTUS TEST CARRIER" }, {}],
  ])("leaves out %s", async (_name, census, authority) => {
    const history: Rows = [
      [
        "motus_authhist",
        { usdot: 1001, docket: "MC1001", changed_on: "2026-11-15", ...authority, status: "active" },
      ],
    ];
    expect(await included(company(1001, census, authority), history)).toEqual([]);
  });

  it("does not take a name that merely contains the letters for a test record", async () => {
    expect(
      await included(company(1001, { legal_name: "GREATEST TESTAROSSA HAULING" }), grant(1001, "2026-11-15")),
    ).toEqual(["1001"]);
  });

  it("leaves out the registry's own record, USDOT number 1", async () => {
    expect(await included(company(1), grant(1, "2026-11-15"))).toEqual([]);
  });

  it("leaves out an old company that was reinstated", async () => {
    expect(
      await included(company(1001), grant(1001, "2015-01-01"), [
        ["motus_authhist", { usdot: 1001, docket: "MC1001", changed_on: "2026-11-15", reason: "Reinstated" }],
      ]),
    ).toEqual([]);
  });

  it("has one record for a company granted two authorities", async () => {
    const second: Rows = [
      ["motus_carrier", { usdot: 1001, docket: "MC1001", authority_class: "carrier_hhg" }],
      [
        "motus_authhist",
        { usdot: 1001, docket: "MC1001", authority_class: "carrier_hhg", changed_on: "2026-11-15" },
      ],
    ];
    const feed = (await feedsOf([...company(1001), ...grant(1001, "2026-11-15"), ...second]))
      .us_new_authority_weekly;
    expect(feed).toMatchObject([
      { authority_type: "carrier_property", authority_granted: "2026-11-15", days_in_business: 5 },
    ]);
  });
});

describe("us_small_carriers_active", () => {
  it.each([
    [0, false],
    [1, true],
    [20, true],
    [21, false],
    [null, false],
  ])("with %s power units: %s", async (powerUnits, isIncluded) => {
    const feed = (await feedsOf(company(1001, { power_units: powerUnits }))).us_small_carriers_active;
    expect(dotNumbers(feed)).toEqual(isIncluded ? ["1001"] : []);
  });

  it("puts records without a date of grant last, and orders equal dates by USDOT number", async () => {
    const feed = await feedsOf([
      ...company(1003),
      ...[...company(1002), ...grant(1002, "2020-01-01")],
      ...[...company(1001), ...grant(1001, "2020-01-01")],
      ...[...company(1004), ...grant(1004, "2021-01-01")],
    ]);
    expect(dotNumbers(feed.us_small_carriers_active)).toEqual(["1004", "1001", "1002", "1003"]);
  });

  const inRevocation: Rows = [
    ["census", { usdot: 1001 }],
    ["legacy_carrier", { common_stat: "A", property: true, usdot: 1001, common_revoking: true }],
    ["legacy_carrier", { docket: "MC2", common_stat: "A", property: true, usdot: 1001 }],
  ];

  it("leaves a company out while any of its authorities is in revocation", async () => {
    expect(dotNumbers((await feedsOf(inRevocation, "2026-06-20")).us_small_carriers_active)).toEqual([]);
  });

  // Every proceeding of the frozen registry had ended by then; its flags say nothing any more.
  it("no longer reads the frozen registry's revocation flags after 2026-06-20", async () => {
    expect(dotNumbers((await feedsOf(inRevocation, "2026-06-21")).us_small_carriers_active)).toEqual([
      "1001",
    ]);
  });
});

describe("us_brokers", () => {
  it("gives a company that is broker and freight forwarder two records", async () => {
    const feed = await feedsOf([
      ...company(1001, {}, { authority_class: "broker" }),
      ["motus_carrier", { usdot: 1001, docket: "FF77", authority_class: "freight_forwarder" }],
    ]);
    expect(feed.us_brokers?.map((record) => [record.entity_type, record.docket_number])).toEqual([
      ["broker", "MC1001"],
      ["freight_forwarder", "FF77"],
    ]);
  });

  it("keeps a broker the census does not know, by what its own file says", async () => {
    const rows: Rows = [
      [
        "motus_carrier",
        {
          usdot: 1001,
          authority_class: "broker",
          legal_name: "LONE BROKER",
          state: "OH",
          phone: "6145550123",
        },
      ],
    ];
    expect((await feedsOf(rows)).us_brokers).toMatchObject([
      { company: "LONE BROKER", state: "OH", phone: "6145550123" },
    ]);
  });
});

describe("every record", () => {
  const record = async (census: Row, ...more: Rows[]) =>
    (await feedsOf([...company(1001, census), ...more.flat()])).us_small_carriers_active?.at(-1);

  it("says which registry its status is from and when that was last verified", async () => {
    const legacy: Rows = [
      ["census", { usdot: 1002 }],
      ["legacy_carrier", { usdot: 1002, docket: "MC1002", common_stat: "A", property: true }],
    ];
    const feed = (await feedsOf([...company(1001), ...legacy])).us_small_carriers_active;
    expect(feed).toMatchObject([
      { dot_number: "1001", status_source: "motus", last_verified: AS_OF },
      { dot_number: "1002", status_source: "legacy", last_verified: "2026-05-14" },
    ]);
  });

  it.each([
    ["a county of the main zone", { state: "TX", county_fips: "453" }, "America/Chicago"],
    ["a county that is an exception", { state: "TX", county_fips: "141" }, "America/Denver"],
    ["an unknown county: the state's main zone", { state: "TX", county_fips: null }, "America/Chicago"],
    ["a county that is not in the list", { state: "FL", county_fips: "999" }, "America/New_York"],
    ["a territory without counties", { state: "GU", county_fips: null }, "Pacific/Guam"],
    ["no state", { state: null, county_fips: null }, null],
  ])("has the time zone of %s", async (_name, census, expected) => {
    expect((await record(census))?.time_zone).toBe(expected);
  });

  it("has no state where the file names a province", async () => {
    expect(await record({ state: "ON" })).toMatchObject({ state: null });
  });

  it.each([
    ["3605550142", "either"],
    ["8005550142", "either"],
    ["6847330123", "mobile"],
    [null, null],
  ])("types the phone %s as %s", async (phone, expected) => {
    expect((await record({ phone }))?.phone_type).toBe(expected);
  });

  it("loses a contact that stands on more than five active companies, and nothing else", async () => {
    const others = (count: number, column: string, value: string) =>
      Array.from(
        { length: count },
        (_, index): Rows => [["census", { usdot: 2000 + index, [column]: value }]],
      );
    const contacts = { phone: "3605550142", cell_phone: "3605550143", email: "a@shared.example" };
    expect(await record(contacts, ...others(4, "phone", "3605550142"))).toMatchObject({
      phone: "3605550142",
    });
    expect(await record(contacts, ...others(5, "phone", "3605550142"))).toMatchObject({
      ...{ phone: null, phone_type: null, cell_phone: "3605550143", email: "a@shared.example" },
    });
    expect(await record(contacts, ...others(5, "cell_phone", "3605550143"))).toMatchObject({
      ...{ phone: "3605550142", cell_phone: null, has_cell: false },
    });
    // One number filed as a phone here and as a cell phone there is still one contact.
    expect(await record(contacts, ...others(5, "cell_phone", "3605550142"))).toMatchObject({ phone: null });
    expect(await record(contacts, ...others(5, "email", "a@shared.example"))).toMatchObject({ email: null });
    const onBothFields = Array.from(
      { length: 4 },
      (_, index): Rows => [
        ["census", { usdot: 4000 + index, phone: "3605550142", cell_phone: "3605550142" }],
      ],
    );
    expect(await record(contacts, ...onBothFields)).toMatchObject({ phone: "3605550142" });
    const inactive = Array.from(
      { length: 9 },
      (_, index): Rows => [["census", { usdot: 3000 + index, status_code: "I", ...contacts }]],
    );
    expect(await record(contacts, ...inactive)).toMatchObject(contacts);
  });

  it("loses the contacts of an agent on the operators' list", async () => {
    const agents: Rows = [
      ["agent_contact", { kind: "phone", value: "3605550142", shipped: false }],
      ["agent_contact", { kind: "email_domain", value: "filing.example", shipped: false }],
    ];
    expect(
      await record({ phone: "3605550142", email: "x@filing.example", cell_phone: "3605550199" }, agents),
    ).toMatchObject({ phone: null, email: null, cell_phone: "3605550199" });
  });
});
