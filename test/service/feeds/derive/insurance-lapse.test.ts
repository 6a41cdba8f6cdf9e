import { describe, expect, it } from "vitest";
import type { RegistryRows as Rows } from "../../../support/registry/derived-registry.ts";
import type { RegistryRow as Row } from "../../../support/registry/registry-rows.ts";
import { company, dotNumbers, feedsOf, grant, INSURANCE_SUSPENSION, useDerivation } from "./derivation.ts";

useDerivation();

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
