import { describe, expect, it } from "vitest";
import type { FeedRecord } from "../../../support/registry/derived-feeds.ts";
import type { RegistryRows as Rows } from "../../../support/registry/derived-registry.ts";
import type { RegistryRow as Row } from "../../../support/registry/registry-rows.ts";
import { AS_OF, company, derive, feedsOf, grant, useDerivation } from "./derivation.ts";

useDerivation();

describe.concurrent("every record", () => {
  it("has the day of a safety rating with the rating only", async () => {
    const rated = { safety_rating_on: "2020-01-01" };
    const { us_small_carriers_active: records } = await feedsOf([
      ...company(1001, { ...rated, safety_rating: "conditional" }),
      ...company(1002, rated),
    ]);
    expect(records?.map(({ safety_rating_date }) => safety_rating_date).toSorted()).toEqual([
      "2020-01-01",
      null,
    ]);
  });

  const record = async (census: Row, ...more: Rows[]) =>
    (await feedsOf([...company(1001, census), ...more.flat()])).us_small_carriers_active?.at(-1);

  it("names the registry that gives its status and the day it was last verified", async () => {
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

  it("tells how many other active companies file its contacts, also those that are blanked", async () => {
    const shared = { phone: "3605550142", email: "office@shared.example" };
    const rows = [
      ...company(1001, { ...shared, cell_phone: "3605550142" }),
      ...company(1002, { cell_phone: shared.phone, email: null }),
      ...company(1003, { phone: "3605550143", email: shared.email }),
      // Not active in the census: it counts for nobody, and is told of the active ones.
      ...company(1004, { ...shared, status_code: "I" }, { authority_class: "broker" }),
      // In no census: it files the phone of its authority.
      ["motus_carrier", { usdot: 1005, docket: "MC1005", authority_class: "broker", phone: shared.phone }],
    ] satisfies Rows;
    const feeds = await feedsOf(rows);
    const told = [...(feeds.us_small_carriers_active ?? []), ...(feeds.us_brokers ?? [])].map(
      ({ dot_number, phone, phone_shared_by, email_shared_by }) => [
        dot_number,
        phone,
        phone_shared_by,
        email_shared_by,
      ],
    );
    expect(told.sort()).toEqual([
      ["1001", shared.phone, 2, 1],
      ["1002", null, null, null],
      ["1003", "3605550143", 0, 1],
      ["1004", shared.phone, 3, 2],
      ["1005", shared.phone, 2, null],
    ]);
    const many = [1006, 1007, 1008].flatMap((usdot) => company(usdot, shared));
    const blanked = (await feedsOf([...rows, ...many])).us_small_carriers_active?.[0];
    expect(blanked).toMatchObject({
      phone: null,
      phone_shared_by: 5,
      email: shared.email,
      email_shared_by: 4,
    });
  });

  it("has the liability insurance that the registry of its status tells, and none for a broker", async () => {
    const dollars = { min_coverage: 750_000, bipd_on_file: 1_000_000 };
    const legacy = { usdot: 1002, docket: "MC1002", common_stat: "A", property: true };
    const feeds = await feedsOf([
      ...company(1001, {}, dollars),
      // Two rows of one authority: the active one counts, though the other has more.
      ["motus_carrier", { usdot: 1001, docket: "MC1001", status: "inactive", min_coverage: 5_000_000 }],
      ["motus_carrier", { usdot: 1001, docket: "MC7", authority_class: "broker", ...dollars }],
      ["motus_revokesuspend", { usdot: 1001, docket: "MC7", authority_class: "broker" }],
      ["census", { usdot: 1002 }],
      ["legacy_carrier", { ...legacy, min_coverage: 750_000, bipd_on_file: 0 }],
      // The legacy registry tells no amounts of an authority that Motus knows.
      ...company(1003),
      ["legacy_carrier", { ...legacy, usdot: 1003, docket: "MC1003", ...dollars }],
    ]);
    const amounts = (records: FeedRecord[] | undefined) =>
      records?.map((row) => [row.dot_number, row.insurance_required, row.insurance_on_file]);
    expect(amounts(feeds.us_small_carriers_active)).toEqual([
      ["1001", 750_000, 1_000_000],
      ["1002", 750_000, 0],
      ["1003", null, null],
    ]);
    expect(amounts(feeds.us_revocation_pending)).toEqual([["1001", null, null]]);
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

  it.each([
    ["MA", "2134", "02134"],
    ["NJ", "7030-1234", "07030-1234"],
    ["PR", "901", "00901"],
    ["TX", "7870", "7870"],
    ["MA", "02134", "02134"],
  ])("of %s with the ZIP code %s has %s", async (state, zip, expected) => {
    expect((await record({ state, zip }))?.zip).toBe(expected);
  });

  it("has no state if the file has a province", async () => {
    expect(await record({ state: "ON" })).toMatchObject({ state: null });
  });

  it.each([
    ["3605550142", "either"],
    ["8005550142", "either"],
    ["6847330123", "mobile"],
    [null, null],
  ])("gives the phone %s the type %s", async (phone, expected) => {
    expect((await record({ phone }))?.phone_type).toBe(expected);
  });

  it("loses a contact of more than five active companies, and nothing else", async () => {
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
      phone: null,
      phone_type: null,
      cell_phone: "3605550143",
      email: "a@shared.example",
    });
    expect(await record(contacts, ...others(5, "cell_phone", "3605550143"))).toMatchObject({
      phone: "3605550142",
      cell_phone: null,
      has_cell: false,
    });
    // One number filed as a phone here and as a cell phone there is one contact.
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

describe.concurrent("every record has an id", () => {
  /** The ids of all feeds if the registry had these rows, by feed and record. The key is another one's if given. */
  const idsOf = async (rows: Rows, key: string | null = null): Promise<Map<string, string>> => {
    const feeds = await derive(rows, key === null ? {} : { key });
    const entries = Object.entries(feeds).flatMap(([feed, records = []]) =>
      records.map((row): [string, string] => [
        `${feed} ${row.docket_number} ${row.authority_type ?? row.entity_type}`,
        String(row.record_id),
      ]),
    );
    return new Map(entries);
  };
  const order = (docket: string, authority_class: string): Rows => [
    ["motus_revokesuspend", { usdot: 1001, docket, authority_class, effective_on: "2026-12-01" }],
  ];
  const rows: Rows = [
    ...company(1001),
    ...grant(1001, "2026-11-15"),
    ["motus_carrier", { usdot: 1001, docket: "MC7", authority_class: "broker", bond_required: true }],
    ["motus_carrier", { usdot: 1001, docket: "MC8", authority_class: "freight_forwarder" }],
    ["motus_carrier", { usdot: 1001, docket: "DOT1001", authority_class: "carrier_hhg" }],
    ...company(1002),
  ];

  it("of 16 letters, which no record of any feed shares and nothing but the record decides", async () => {
    const ids = await idsOf(rows);
    expect(ids.size).toBeGreaterThan(4);
    for (const id of ids.values()) expect(id).toMatch(/^[a-p]{16}$/);
    expect(new Set(ids.values()).size).toBe(ids.size);
    expect(await idsOf(rows.toReversed())).toEqual(ids);
  });

  it("of its own for each authority of a company, where the feed has one record each", async () => {
    const ids = await idsOf([...rows, ...order("MC7", "broker"), ...order("MC8", "freight_forwarder")]);
    const orders = [...ids].filter(([record]) => record.startsWith("us_revocation_pending"));
    expect(orders).toHaveLength(2);
    expect(new Set(orders.map(([, id]) => id)).size).toBe(2);
  });

  it("that stays when the feed shows another authority of the company", async () => {
    const [before] = (await derive([...company(1001), ...grant(1001, "2020-01-01")]))
      .us_small_carriers_active as FeedRecord[];
    const older: Rows = [
      ["motus_carrier", { usdot: 1001, docket: "MC5" }],
      ["motus_authhist", { usdot: 1001, docket: "MC5", changed_on: "2019-01-01" }],
    ];
    const [after] = (
      await derive([...company(1001, { legal_name: "B" }), ...grant(1001, "2020-01-01"), ...older])
    ).us_small_carriers_active as FeedRecord[];
    expect([before?.docket_number, after?.docket_number]).toEqual(["MC1001", "MC5"]);
    expect(after?.record_id).toBe(before?.record_id);
  });

  it("that another installation does not give to any record", async () => {
    const [ours, theirs] = [await idsOf(rows), await idsOf(rows, "another key")];
    expect([...theirs.keys()]).toEqual([...ours.keys()]);
    expect(new Set([...ours.values(), ...theirs.values()]).size).toBe(2 * ours.size);
  });
});
