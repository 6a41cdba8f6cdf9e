import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FEEDS, type FeedCode } from "../../../../src/feeds/catalogue.ts";
import { derivationOf, openCandidates, openRemovalList } from "../../../../src/feeds/derive/candidates.ts";
import type { Context } from "../../../../src/platform/context.ts";
import { settableClock } from "../../../support/clock.ts";
import { openTestContext } from "../../../support/context.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database.ts";
import { nodesOf, type PlanNode, planOf } from "../../../support/query-plan.ts";
import {
  type FeedDerivation,
  type FeedRecord,
  feedDerivation,
} from "../../../support/registry/derived-feeds.ts";
import type { RegistryRows as Rows } from "../../../support/registry/derived-registry.ts";
import type { RegistryRow as Row } from "../../../support/registry/registry-rows.ts";

const AS_OF = "2026-11-20";
const INSURANCE_SUSPENSION =
  "Involuntary Suspension - insurance cancellation effective; no active insurance meeting minimum coverage on file";

let database: TestDatabase;
let context: Context;
let derivation: FeedDerivation;

beforeAll(async () => {
  database = await createTestDatabase();
  context = await openTestContext(database.url, settableClock(`${AS_OF}T12:00:00Z`));
  derivation = feedDerivation(context);
});

afterAll(async () => {
  await context.db.close();
  await database.drop();
});

const derive = (rows: Rows, origin: Partial<Parameters<FeedDerivation["derive"]>[1]> = {}) =>
  derivation.derive(rows, { asOf: AS_OF, ...origin });

/** The records of each feed if the registry had these rows. Companies share contacts, so registries with some stay apart. */
const feedsOf = (rows: Rows, asOf = AS_OF) => {
  const hasContacts = rows.some(([, row]) => ["phone", "cell_phone", "email"].some((name) => name in row));
  return hasContacts ? derive(rows, { asOf }) : derivation.deriveTogether(rows, asOf);
};

/** A company with an active authority in Motus and a census row. */
const company = (usdot: number, census: Row = {}, authority: Row = {}): Rows => [
  ["census", { usdot, ...census }],
  ["motus_carrier", { usdot, docket: `MC${usdot}`, ...authority }],
];

const grant = (usdot: number, changedOn: string): Rows => [
  ["motus_authhist", { usdot, docket: `MC${usdot}`, changed_on: changedOn }],
];

const dotNumbers = (records: FeedRecord[] | undefined) => records?.map((record) => record.dot_number);

describe.concurrent("us_new_authority_weekly", () => {
  const included = async (...rows: Rows[]) =>
    dotNumbers((await feedsOf(rows.flat())).us_new_authority_weekly);

  it("has the 28 days up to its as-of day, newest first", async () => {
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

  it("does not read a name that merely contains the letters as a test record", async () => {
    expect(
      await included(company(1001, { legal_name: "GREATEST TESTAROSSA HAULING" }), grant(1001, "2026-11-15")),
    ).toEqual(["1001"]);
  });

  it("leaves out the registry's own record, USDOT number 1", async () => {
    const feeds = await derive([...company(1), ...grant(1, "2026-11-15")]);
    expect(feeds.us_new_authority_weekly).toEqual([]);
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
      {
        authority_type: "carrier_property",
        authority_granted: "2026-11-15",
        days_in_business: 5,
        authority_types: ["carrier_property", "carrier_hhg"],
      },
    ]);
  });

  it("names only the classes that were granted in the same weeks", async () => {
    const old: Rows = [
      ["motus_carrier", { usdot: 1001, docket: "MC1001", authority_class: "carrier_hhg" }],
      [
        "motus_authhist",
        { usdot: 1001, docket: "MC1001", authority_class: "carrier_hhg", changed_on: "2020-01-15" },
      ],
    ];
    const feeds = await feedsOf([...company(1001), ...grant(1001, "2026-11-15"), ...old]);
    expect(feeds.us_new_authority_weekly).toMatchObject([{ authority_types: ["carrier_property"] }]);
    expect(feeds.us_small_carriers_active).toMatchObject([
      { authority_type: "carrier_hhg", authority_types: ["carrier_property", "carrier_hhg"] },
    ]);
  });

  it("has a company whose authority has no docket", async () => {
    const rows: Rows = [
      ["census", { usdot: 1001 }],
      ["motus_carrier", { usdot: 1001, docket: "DOT1001" }],
      ["motus_authhist", { usdot: 1001, docket: "DOT1001", changed_on: "2026-11-15" }],
    ];
    expect((await feedsOf(rows)).us_new_authority_weekly).toMatchObject([
      { dot_number: "1001", docket_number: null, authority_granted: "2026-11-15" },
    ]);
  });
});

describe.concurrent("us_small_carriers_active", () => {
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

  it("has records without a date of grant last, and orders equal dates by USDOT number", async () => {
    const feed = await feedsOf([
      ...company(1003),
      ...company(1002),
      ...grant(1002, "2020-01-01"),
      ...company(1001),
      ...grant(1001, "2020-01-01"),
      ...company(1004),
      ...grant(1004, "2021-01-01"),
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

  // Every proceeding of the legacy registry had ended by then, so its flags no longer count.
  it("no longer reads the legacy registry's revocation flags after 2026-06-20", async () => {
    expect(dotNumbers((await feedsOf(inRevocation, "2026-06-21")).us_small_carriers_active)).toEqual([
      "1001",
    ]);
  });
});

describe.concurrent("us_brokers", () => {
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

  it("has a broker that is not in the census, with the facts of its own file", async () => {
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

  // Motus AuthHist has no names.
  it("has a broker that is not in the census and whose name only its second authority has", async () => {
    const named = {
      usdot: 1001,
      broker_stat: "A",
      docket: "MC1002",
      legal_name: "ZEBRA BROKERAGE LLC",
      city: "AKRON",
      state: "OH",
    };
    const rows: Rows = [
      [
        "motus_authhist",
        { usdot: 1001, docket: "MC1001", authority_class: "broker", changed_on: "2026-11-01" },
      ],
      ["legacy_carrier", named],
    ];
    expect((await feedsOf(rows)).us_brokers).toMatchObject([
      { company: "ZEBRA BROKERAGE LLC", city: "AKRON", state: "OH" },
    ]);
  });
});

describe.concurrent("us_revocation_pending", () => {
  const notice = (row: Row = {}): Rows => [
    ["motus_revokesuspend", { usdot: 1001, docket: "MC1001", ...row }],
  ];
  const cure = (reason: string, changedOn: string, more: Row = {}): Rows => [
    ["motus_authhist", { usdot: 1001, docket: "MC1001", reason, changed_on: changedOn, ...more }],
  ];
  const pending = async (...rows: Rows[]) =>
    (await feedsOf([...company(1001), ...rows.flat()])).us_revocation_pending;

  it("has an active authority with an order that takes effect later", async () => {
    expect(await pending(notice())).toMatchObject([
      {
        dot_number: "1001",
        docket_number: "MC1001",
        authority_type: "carrier_property",
        order_type: "Operating Authority Involuntary Suspension Notice",
        authority_status: "active",
        order_served: "2026-11-10",
        order_effective: "2026-12-10",
      },
    ]);
  });

  it.each<[string, Row]>([
    ["takes effect today", { effective_on: "2026-11-20" }],
    ["is voluntary", { order_type: "Operating Authority Voluntary Suspension Notice" }],
    ["is about another class", { authority_class: "broker" }],
    ["is about another docket", { docket: "MC77" }],
  ])("leaves out an order that %s", async (_name, row) => {
    expect(await pending(notice(row))).toEqual([]);
  });

  it("finds the authority of an order without a docket by USDOT number", async () => {
    expect(dotNumbers(await pending(notice({ docket: null })))).toEqual(["1001"]);
    expect(await pending(notice({ docket: null, usdot: 2002 }))).toEqual([]);
    expect(dotNumbers(await pending(notice({ usdot: null })))).toEqual(["1001"]);
  });

  it.each([
    ["Reinstated - insurance coverage restored", "2026-11-12", true],
    ["Discontinued Revocation", "2026-11-10", true],
    ["GRANTED", "2026-11-15", true],
    ["Reinstated", "2026-11-09", false],
    ["Reinstated", "2026-11-21", false],
    ["Administrative Correction", "2026-11-12", false],
  ])("%s on %s cures it: %s", async (reason, changedOn, isCured) => {
    expect(dotNumbers(await pending(notice(), cure(reason, changedOn)))).toEqual(isCured ? [] : ["1001"]);
  });

  it("is not cured by a change of another authority of the docket", async () => {
    expect(
      await pending(notice(), cure("Reinstated", "2026-11-12", { authority_class: "broker" })),
    ).toHaveLength(1);
  });

  it("has one record for an authority, of the order that takes effect first", async () => {
    const orders = [
      notice({ served_on: "2026-11-09", effective_on: "2026-12-15" }),
      notice(),
      notice({ served_on: "2026-11-15", effective_on: "2026-12-15" }),
    ];
    expect(await pending(...orders)).toMatchObject([
      { order_served: "2026-11-10", order_effective: "2026-12-10" },
    ]);
  });

  it.each<[string, Row]>([
    ["without a day of service", { served_on: null }],
    ["served on a future day", { served_on: "2026-11-21" }],
  ])("has an order %s, by the day it takes effect", async (_name, row) => {
    expect(await pending(notice(row))).toMatchObject([{ order_served: null, order_effective: "2026-12-10" }]);
    const cured = cure("Reinstated", "2026-11-12");
    expect(await pending(notice(row), cured)).toEqual([]);
    expect(await pending(notice(row), cure("Reinstated", "2026-11-09"))).toHaveLength(1);
  });

  it("treats an order of an unknown type as one that revokes the authority", async () => {
    const order_type = "Operating Authority Involuntar Suspension Notice";
    const feeds = await feedsOf([...company(1001), ...notice({ order_type })]);
    expect(feeds.us_revocation_pending).toMatchObject([{ order_type }]);
    expect(feeds.us_small_carriers_active).toEqual([]);
  });

  it("assumes 30 days for an order that names no day of effect", async () => {
    expect(await pending(notice({ effective_on: null }))).toMatchObject([{ order_effective: "2026-12-10" }]);
    expect(await pending(notice({ effective_on: null, served_on: null }))).toEqual([]);
  });

  it("is exactly the set of authorities that other feeds leave out for it", async () => {
    const broker: Rows = [
      ["motus_carrier", { usdot: 1001, docket: "MC1001", authority_class: "broker", op_auth_type: "Broker" }],
    ];
    const feeds = await feedsOf([
      ...company(1001),
      ...broker,
      ...grant(1001, "2026-11-15"),
      ...notice({ served_on: "2026-11-16" }),
    ]);
    expect(feeds.us_small_carriers_active).toEqual([]);
    expect(feeds.us_new_authority_weekly).toEqual([]);
    expect(dotNumbers(feeds.us_brokers)).toEqual(["1001"]);
    const ofBroker = await feedsOf([...company(1001), ...broker, ...notice({ authority_class: "broker" })]);
    expect(dotNumbers(ofBroker.us_small_carriers_active)).toEqual(["1001"]);
    expect(ofBroker.us_brokers).toEqual([]);
  });

  it("reads the legacy registry's flags and open proceedings up to 2026-06-20 only", async () => {
    const rows: Rows = [
      ["census", { usdot: 1001 }],
      ["legacy_carrier", { common_stat: "A", property: true, common_revoking: true }],
      ["legacy_authhist", { action: "INVOLUNTARY REVOCATION", action_on: "2026-05-01" }],
    ];
    expect((await feedsOf(rows, "2026-05-20")).us_revocation_pending).toMatchObject([
      {
        order_served: "2026-05-01",
        order_effective: "2026-06-03",
        status_source: "legacy",
        last_verified: "2026-05-14",
      },
    ]);
    expect((await feedsOf(rows, "2026-06-21")).us_revocation_pending).toEqual([]);
  });
});

describe.concurrent("us_insurance_lapse_alerts", () => {
  const alerts = async (...rows: Rows[]) => (await feedsOf(rows.flat())).us_insurance_lapse_alerts;
  const ended = (row: Row = {}): Rows => [["motus_inshist", { docket: "MC1001", usdot: 1001, ...row }]];
  const policy = (row: Row = {}): Rows => [["motus_insur", { docket: "MC1001", usdot: 1001, ...row }]];
  const UNREADABLE = { effective_on: null };

  it("has an authority with a future cancellation, with its day and insurer", async () => {
    expect(await alerts(company(1001), ended())).toMatchObject([
      {
        alert_reason: "cancellation",
        insurance_type: "bipd",
        cancellation_effective: "2026-12-01",
        insurer: "EXAMPLE INSURANCE CO",
        authority_status: "active",
      },
    ]);
  });

  it.each<[string, Row, boolean]>([
    ["30 days ago", { cancelled_on: "2026-10-21" }, true],
    ["31 days ago", { cancelled_on: "2026-10-20" }, false],
    ["in 90 days", { cancelled_on: "2027-02-18" }, true],
    ["in 91 days", { cancelled_on: "2027-02-19" }, false],
    ["on an unknown day", { cancelled_on: null }, false],
    ["by replacement", { filing_status: "TERM/REPL" }, false],
    ["by a change of name", { filing_status: "NAMECHG" }, false],
    ["with the legacy registry's word", { filing_status: "CANCELLED" }, true],
    // An unknown loss is a loss.
    ["in an unknown way", { filing_status: "NON PAYMENT" }, true],
    ["of cargo insurance", { type_code: "2" }, false],
    ["of a bond, for a carrier", { type_code: "3" }, false],
  ])("a policy that ends %s: %s", async (_name, row, isAlert) => {
    expect(await alerts(company(1001), ended(row))).toHaveLength(isAlert ? 1 : 0);
  });

  it.each<[string, Row, boolean]>([
    ["another policy from the day after", { policy_key: "NEW1", effective_on: "2026-12-02" }, false],
    ["another policy two days later", { policy_key: "NEW1", effective_on: "2026-12-03" }, true],
    // A day that cannot be read makes no alert.
    [
      "another policy from an unreadable day",
      { policy_key: "NEW1", ...UNREADABLE, filed_on: "2026-11-15" },
      false,
    ],
    ["another policy without any readable day", { policy_key: "NEW1", ...UNREADABLE, filed_on: null }, false],
    ["another type of policy", { policy_key: "NEW1", type_code: "2" }, true],
    ["the old filing of the same policy", { policy_key: "OLD1", filed_on: "2026-11-01" }, true],
    ["the same policy, filed again after the notice", { policy_key: "OLD1", filed_on: "2026-11-02" }, false],
    ["a policy without a number", { policy_key: "" }, true],
  ])("%s on file: alert %s", async (_name, row, isAlert) => {
    const lastYear = { effective_on: "2025-12-01" };
    expect(await alerts(company(1001), ended(lastYear), policy(row))).toHaveLength(isAlert ? 1 : 0);
  });

  it("makes no alert of a policy that was filed again and began on an unreadable day", async () => {
    const again = policy({ policy_key: "OLD1", filed_on: "2026-11-02" });
    expect(await alerts(company(1001), ended(UNREADABLE), again)).toEqual([]);
  });

  // Insurers give 30 days of notice, but the first filing of a new policy is not a reply to a notice.
  it("does not treat the filing of a new policy as one after the notice", async () => {
    const young = ended({ effective_on: "2026-11-01", cancelled_on: "2026-11-25" });
    const first = policy({ policy_key: "OLD1", effective_on: "2026-11-01", filed_on: "2026-11-01" });
    expect(await alerts(company(1001), young, first)).toHaveLength(1);
    const again = policy({ policy_key: "OLD1", effective_on: "2026-11-01", filed_on: "2026-11-20" });
    expect(await alerts(company(1001), young, first, again)).toHaveLength(0);
  });

  it("uses the day after which the notice was first seen", async () => {
    const seen: Rows = [
      [
        "cancellation_notice",
        {
          docket: "MC1001",
          type_code: "1",
          policy_key: "OLD1",
          cancelled_on: "2026-12-01",
          noticed_after: "2026-11-10",
        },
      ],
    ];
    const old = ended({ effective_on: "2025-12-01" });
    const filed = (filed_on: string) => policy({ policy_key: "OLD1", filed_on });
    expect(await alerts(company(1001), old, seen, filed("2026-11-10"))).toHaveLength(1);
    expect(await alerts(company(1001), old, seen, filed("2026-11-11"))).toHaveLength(0);
  });

  it.each<[string, Row, Row, boolean]>([
    ["a primary policy, with an excess one left", {}, { class_code: "E" }, true],
    ["an excess policy, with a primary one left", { class_code: "E" }, { class_code: "P" }, false],
    ["a primary policy, with one of an unknown class left", {}, { class_code: "Q" }, true],
    ["a primary policy, with one with special limits left", { class_code: "P" }, { class_code: "1" }, false],
  ])("of %s: %s", async (_name, endedPolicy, other, isAlert) => {
    const left = { policy_key: "NEW1", effective_on: "2026-01-01", ...other };
    expect(await alerts(company(1001), ended(endedPolicy), policy(left))).toHaveLength(isAlert ? 1 : 0);
  });

  it("accepts a trust fund instead of a bond, and the reverse, as cover", async () => {
    const broker = company(1001, {}, { authority_class: "broker" });
    const fund = policy({ policy_key: "NEW1", type_code: "4", effective_on: "2026-11-30" });
    expect(await alerts(broker, ended({ type_code: "3" }), fund)).toEqual([]);
    const bond = policy({ policy_key: "NEW1", type_code: "3", effective_on: "2026-11-30" });
    expect(await alerts(broker, ended({ type_code: "4" }), bond)).toEqual([]);
  });

  it("does not accept an ended policy as a replacement, unless it was filed again", async () => {
    const stale = { policy_key: "STALE1", effective_on: "2020-01-01", filed_on: "2020-01-01" };
    const endedLongAgo = ended({
      policy_key: "STALE1",
      cancelled_on: "2022-01-01",
      filing_status: "TERM/REPL",
    });
    expect(await alerts(company(1001), ended(), policy(stale), endedLongAgo)).toHaveLength(1);
    const revived = { ...stale, filed_on: "2023-01-01" };
    expect(await alerts(company(1001), ended(), policy(revived), endedLongAgo)).toHaveLength(0);
  });

  it("knows which insurance each class needs", async () => {
    const broker = company(1001, {}, { authority_class: "broker" });
    expect(await alerts(broker, ended({ type_code: "3" }))).toMatchObject([{ insurance_type: "bond" }]);
    expect(await alerts(broker, ended({ type_code: "4" }))).toMatchObject([{ insurance_type: "trust_fund" }]);
    expect(await alerts(broker, ended({ type_code: "1" }))).toEqual([]);
  });

  it.each<[string, Row, string | null]>([
    ["too little liability insurance", { min_coverage: 750_000, bipd_on_file: 0 }, "bipd"],
    ["enough of it", { min_coverage: 750_000, bipd_on_file: 750_000 }, null],
    ["none needed", { min_coverage: 0, bipd_on_file: 0 }, null],
    ["an amount that is not known", { min_coverage: 750_000, bipd_on_file: null }, null],
    ["a bond that is not known", { bond_required: true, bond_on_file: null }, null],
    ["no bond", { bond_required: true }, "bond"],
    ["a bond", { bond_required: true, bond_on_file: true }, null],
    [
      "no cargo insurance, for household goods",
      { authority_class: "carrier_hhg", cargo_required: true },
      "cargo",
    ],
    ["no cargo insurance, for other freight", { cargo_required: true }, null],
    ["nothing, while pending", { min_coverage: 750_000, status: "pending" }, null],
  ])("with %s on file", async (_name, authority, insuranceType) => {
    const expected = insuranceType ? [{ alert_reason: "not_on_file", insurance_type: insuranceType }] : [];
    expect(await alerts(company(1001, {}, authority))).toMatchObject(expected);
  });

  it("takes the highest of rows that differ in the amount, as the record's columns do", async () => {
    const row = { docket: "MC1001", usdot: 1001, min_coverage: 750_000 };
    const second: Rows = [["motus_carrier", { ...row, bipd_on_file: 0 }]];
    expect(await alerts(company(1001, {}, { ...row, bipd_on_file: 750_000 }), second)).toEqual([]);
  });

  const suspended = (changedOn: string, reason = INSURANCE_SUSPENSION): Rows => [
    ["motus_authhist", { usdot: 1001, docket: "MC1001", status: "inactive", reason, changed_on: changedOn }],
  ];

  it("has an authority suspended for lack of insurance for 30 days, before its other alerts", async () => {
    const inactive = company(1001, {}, { status: "inactive" });
    expect(await alerts(inactive, suspended("2026-10-21"), ended())).toMatchObject([
      { alert_reason: "suspended", authority_status: "inactive", insurance_type: null },
    ]);
    expect(await alerts(inactive, suspended("2026-10-20"))).toEqual([]);
    expect(
      await alerts(
        inactive,
        suspended("2026-11-01", "Involuntary Suspension - BOC-3 cancellation effective"),
      ),
    ).toEqual([]);
    // Carrier still says active: the loss counts.
    expect(await alerts(company(1001), suspended("2026-11-01"))).toHaveLength(1);
    const security = "Involuntary Suspension - broker bond cancelled; no security on file";
    expect(await alerts(inactive, suspended("2026-11-01", security))).toHaveLength(1);
    const cured: Rows = [
      ["motus_authhist", { usdot: 1001, docket: "MC1001", reason: "Reinstated", changed_on: "2026-11-02" }],
    ];
    expect(await alerts(inactive, suspended("2026-11-01"), cured)).toEqual([]);
  });

  it.each(["DOT1001", "MX1001"])(
    "finds what is filed under MC1001 if Carrier has %s for it",
    async (docket) => {
      const inactive = company(1001, {}, { docket, status: "inactive" });
      expect(await alerts(inactive, suspended("2026-11-01"))).toMatchObject([{ alert_reason: "suspended" }]);
      const active = company(1001, {}, { docket });
      expect(await alerts(active, ended())).toMatchObject([{ alert_reason: "cancellation" }]);
      expect(await alerts(active, ended(), policy({ policy_key: "NEW1" }))).toEqual([]);
      const feeds = await feedsOf([
        ...active,
        ...policy({ insurer: "OTHER CO" }),
        ...grant(1001, "2026-11-01"),
      ]);
      expect(feeds.us_new_authority_weekly).toMatchObject([
        { authority_granted: "2026-11-01", insurer: "OTHER CO" },
      ]);
    },
  );

  it("does not give one of two companies with a docket the other's suspension or grant", async () => {
    const both = [1001, 1002].flatMap((usdot) =>
      company(usdot, {}, { docket: "MC1001", status: "inactive" }),
    );
    const revoked: Rows = [
      [
        "motus_authhist",
        { usdot: 1002, docket: "MC1001", status: "inactive", reason: "Revoked", changed_on: "2026-10-31" },
      ],
    ];
    expect(dotNumbers(await alerts(both, suspended("2026-11-01"), revoked))).toEqual(["1001"]);
    const granted: Rows = [
      ["motus_authhist", { usdot: 1002, docket: "MC1001", reason: "Granted", changed_on: "2026-11-02" }],
    ];
    expect(dotNumbers(await alerts(both, suspended("2026-11-01"), granted))).toEqual(["1001"]);
  });

  it("does not give one of two companies with a docket the other's policy or its end", async () => {
    const both = [1001, 1002].flatMap((usdot) => company(usdot, {}, { docket: "MC1001" }));
    const other = policy({ usdot: 1002, policy_key: "NEW1", insurer: "OTHER CO" });
    expect(dotNumbers(await alerts(both, ended(), other))).toEqual(["1001"]);
    const feeds = await feedsOf([...both, ...other]);
    expect(feeds.us_small_carriers_active?.map(({ insurer }) => insurer)).toEqual([null, "OTHER CO"]);
    // One that names nobody who has the docket is about both.
    const ofNobody = policy({ usdot: 1003, policy_key: "NEW2" });
    expect(await alerts(both, ended(), ofNobody)).toEqual([]);
  });

  it("has a suspended authority in no other feed", async () => {
    const feeds = await feedsOf([...company(1001, {}, { status: "inactive" }), ...suspended("2026-11-01")]);
    expect([feeds.us_small_carriers_active, feeds.us_new_authority_weekly, feeds.us_brokers]).toEqual([
      [],
      [],
      [],
    ]);
  });
});

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

  describe.concurrent("has of its policy on file", () => {
    const POLICY = ["insurer", "policy_effective", "cancellation_pending"];
    const policyOf = (record: FeedRecord | undefined, columns = POLICY) =>
      columns.map((name) => record?.[name]);
    const filing = (insurer: string, policy_key: string, effective_on: string, more: Row = {}) =>
      ["motus_insur", { docket: "MC1001", insurer, policy_key, effective_on, ...more }] as const;
    const end = (policy_key: string, cancelled_on: string | null, more: Row = {}) =>
      ["motus_inshist", { docket: "MC1001", policy_key, cancelled_on, ...more }] as const;
    const small = async (...rows: Rows) => (await feedsOf(rows)).us_small_carriers_active;

    it("the newest primary one in force, or the next when none is", async () => {
      const [of2024, of2026] = [filing("A", "A1", "2024-01-01"), filing("B", "B1", "2026-01-01")];
      const excess = filing("C", "C1", "2026-06-01", { class_code: "E" });
      const later = filing("D", "D1", "2026-12-01");
      const rows = [...company(1001), of2024, of2026, excess, later];
      expect(policyOf((await small(...rows))?.[0])).toEqual(["B", "2026-01-01", null]);
      const ended = [end("A1", "2025-01-01"), end("B1", "2026-11-20", { filing_status: "TERM/REPL" })];
      expect(policyOf((await small(...rows, ...ended))?.[0])).toEqual(["D", "2026-12-01", null]);
      expect(policyOf((await small(...rows, ...ended, end("D1", null)))?.[0])).toEqual([null, null, null]);
    });

    it("the coming day of its cancellation, unless it was filed again", async () => {
      const rows = [...company(1001), filing("A", "A1", "2024-01-01", { filed_on: "2024-01-01" })];
      const cancelled = end("A1", "2026-12-10", { effective_on: "2024-01-01" });
      expect(policyOf((await small(...rows, cancelled))?.[0])).toEqual(["A", "2024-01-01", "2026-12-10"]);
      const replaced = end("A1", "2026-12-10", { filing_status: "TERM/REPL" });
      expect(policyOf((await small(...rows, replaced))?.[0])).toEqual(["A", "2024-01-01", null]);
      const again = filing("A", "A1", "2024-01-01", { filed_on: "2026-11-19" });
      expect(policyOf((await small(...rows, cancelled, again))?.[0])).toEqual(["A", "2024-01-01", null]);
      const ofToday = end("A1", "2026-11-20", { effective_on: "2024-01-01" });
      expect(policyOf((await small(...rows, ofToday))?.[0])).toEqual([null, null, null]);
    });

    it("what the legacy registry had, where that gives the status", async () => {
      const legacy = (usdot: number): Rows => [
        ["census", { usdot }],
        ["legacy_carrier", { usdot, docket: `MC${usdot}`, common_stat: "A", property: true }],
      ];
      const records = await small(
        ...[...company(1001), ["legacy_insur", { docket: "MC1001", insurer: "LEGACY" }] as const],
        ...legacy(1002),
        ["legacy_actpendinsur", { docket: "MC1002", insurer: "A" }],
        [
          "legacy_actpendinsur",
          { docket: "MC1002", insurer: "B", policy_key: "B1", effective_on: "2020-01-01" },
        ],
        [
          "legacy_actpendinsur",
          { docket: "MC1002", insurer: "C", insurance_type: "BIPD/Excess", effective_on: "2026-01-01" },
        ],
        ["motus_insur", { docket: "MC1002", insurer: "MOTUS" }],
        ...legacy(1003),
        ["legacy_insur", { docket: "MC1003", insurer: "A", effective_on: "2025-02-01" }],
        ["legacy_insur", { docket: "MC1003", insurer: "B", effective_on: "2026-02-01", class_code: "E" }],
        ...legacy(1004),
        ["legacy_insur", { docket: "MC1004", insurer: "A" }],
        ["legacy_actpendinsur", { docket: "MC1004", insurer: "A", cancelled_on: "2026-06-01" }],
        ...legacy(1005),
        ["legacy_actpendinsur", { docket: "MC1005", insurer: "A", cancelled_on: "2026-12-01" }],
      );
      expect(records?.map((record) => [record.dot_number, ...policyOf(record)])).toEqual([
        ["1001", null, null, null],
        ["1002", "A", "2025-01-01", null],
        ["1003", "A", "2025-02-01", null],
        ["1004", null, null, null],
        ["1005", "A", "2025-01-01", "2026-12-01"],
      ]);
    });

    it("the bond or trust fund of a broker", async () => {
      const broker = (usdot: number): Rows => company(usdot, {}, { authority_class: "broker" });
      const { us_brokers: records } = await feedsOf([
        ...broker(1001),
        filing("LIABILITY", "L1", "2026-01-01"),
        filing("BOND", "B1", "2025-01-01", { type_code: "3" }),
        filing("TRUST", "T1", "2026-01-01", { type_code: "4" }),
        end("T1", "2027-01-01", { type_code: "4", effective_on: "2026-01-01" }),
        ...broker(1002),
        ["census", { usdot: 1003 }],
        ["legacy_carrier", { usdot: 1003, docket: "MC1003", broker_stat: "A" }],
        ["legacy_actpendinsur", { docket: "MC1003", insurer: "S", insurance_type: "SURETY" }],
        ["legacy_actpendinsur", { docket: "MC1003", insurer: "L", effective_on: "2026-01-01" }],
      ]);
      expect(records?.map((record) => policyOf(record, [...POLICY, "bond_form"]))).toEqual([
        ["TRUST", "2026-01-01", "2027-01-01", "trust_fund"],
        [null, null, null, null],
        ["S", "2025-01-01", null, "bond"],
      ]);
    });

    it("and counts cancellations of 12 months when the files of both registries were imported", async () => {
      const source = (dataset: string) =>
        ["source", { dataset, rows: 1, imported_at: AS_OF, changed_on: AS_OF, profile: "{}" }] as const;
      const rows: Rows = [
        ...company(1001),
        ...company(1002),
        end("A1", "2026-03-01"),
        ["legacy_inshist", { docket: "MC1001", policy_key: "A1" }],
        ["legacy_inshist", { docket: "MC1001", policy_key: "B1", cancelled_on: "2025-11-21" }],
        ["legacy_inshist", { docket: "MC1001", policy_key: "B2", filing_status: "CANCELLED" }],
        ["legacy_inshist", { docket: "MC1001", policy_key: "C1", cancelled_on: "2025-11-20" }],
        ["legacy_inshist", { docket: "MC1001", policy_key: "D1", filing_status: "TERM/REPL" }],
        ["legacy_inshist", { docket: "MC1001", policy_key: "E1", type_code: "2" }],
        end("F1", "2026-11-21"),
        end("G1", null),
        end("H1", "2026-11-20"),
        source("motus_inshist"),
      ];
      const counted = async (more: Rows) =>
        (await derive([...rows, ...more])).us_small_carriers_active?.map(
          (record) => record.cancellations_12m,
        );
      expect(await counted([])).toEqual([null, null]);
      expect(await counted([source("legacy_inshist")])).toEqual([4, 0]);
    });
  });

  describe.concurrent("has an id", () => {
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

describe.concurrent("a phone that only the registry's own files have", () => {
  const holders = (count: number): Rows =>
    Array.from({ length: count }, (_, index) =>
      company(2001 + index, { phone: null, power_units: 3 }, { phone: "9155550123" }),
    ).flat();
  const phones = async (rows: Rows) =>
    (await feedsOf(rows)).us_small_carriers_active?.map(({ phone }) => phone);

  it("is shown, and blanked when more than five active USDOT numbers have it", async () => {
    expect(await phones(holders(5))).toEqual(Array.from({ length: 5 }, () => "9155550123"));
    expect(await phones(holders(6))).toEqual(Array.from({ length: 6 }, () => null));
  });

  it("counts together with those in the census, each USDOT number once", async () => {
    const filed = company(2100, { phone: "9155550123", power_units: 3 }, { phone: "9155550123" });
    expect(await phones([...holders(4), ...filed])).toEqual(Array.from({ length: 5 }, () => "9155550123"));
    expect(await phones([...holders(5), ...filed])).toEqual(Array.from({ length: 6 }, () => null));
  });
});

describe.concurrent("a feed", () => {
  it("is as of the oldest file that the feed depends on, including the census", async () => {
    const [record] =
      (await derive(company(1001), { days: { census: "2026-11-17" } })).us_small_carriers_active ?? [];
    expect(record).toMatchObject({ last_verified: "2026-11-17" });
    const orders = (
      await derive([...company(1001), ["motus_revokesuspend", { usdot: 1001, docket: "MC1001" }]], {
        days: { census: "2026-11-17" },
      })
    ).us_revocation_pending;
    expect(orders).toMatchObject([{ last_verified: AS_OF }]);
  });

  // Days in business were negative when the orders or the census were a day behind AuthHist.
  it("shows an authority granted after its as-of day from that day on", async () => {
    const broker = { authority_class: "broker" };
    const rows: Rows = [
      ...company(1001),
      ...company(1002, {}, broker),
      ...[1001, 1002].map((usdot): Rows[number] => [
        "motus_authhist",
        { usdot, docket: `MC${usdot}`, changed_on: AS_OF, ...(usdot === 1002 && broker) },
      ]),
    ];
    const listed = (feeds: Awaited<ReturnType<typeof derive>>) =>
      [feeds.us_small_carriers_active, feeds.us_brokers].map((records) =>
        records?.map(({ dot_number, days_in_business }) => [dot_number, days_in_business]),
      );
    expect(listed(await derive(rows, { days: { motus_revokesuspend: "2026-11-19" } }))).toEqual([[], []]);
    expect(listed(await derive(rows))).toEqual([[["1001", 0]], [["1002", 0]]]);
  });

  it.each<[FeedCode, string]>([
    ["us_new_authority_weekly", "motus_revokesuspend"],
    ["us_small_carriers_active", "motus_revokesuspend"],
    ["us_brokers", "motus_revokesuspend"],
    ["us_insurance_lapse_alerts", "motus_inshist"],
    ["us_revocation_pending", "motus_carrier"],
  ])("%s is not live before %s was imported", async (feed, missing) => {
    expect(Object.keys(await feedsOf(company(1001)))).toContain(feed);
    expect(Object.keys(await derive(company(1001), { days: { [missing]: undefined } }))).not.toContain(feed);
  });
});

// Such a join compared each record with each alert when the planner expected one record: a minute at 280,000 companies.
it.each(FEEDS.map(({ code }) => code))(
  "%s never joins its records with what it made of them",
  async (code) => {
    const plan = await context.db.bulkTransaction(async (client) => {
      await openRemovalList(client);
      await openCandidates(client, AS_OF);
      return planOf(client, "COSTS", derivationOf(code));
    });
    const inputs = (node: PlanNode) => (node.Plans ?? []).filter((input) => !("Subplan Name" in input));
    const readsRecords = (node: PlanNode) => nodesOf(node).some((inner) => inner["CTE Name"] === "eligible");
    const joins = nodesOf(plan).filter((node) => /Nested Loop|Join/.test(node["Node Type"]));
    expect(joins.filter((join) => inputs(join).filter(readsRecords).length > 1)).toEqual([]);
  },
);
