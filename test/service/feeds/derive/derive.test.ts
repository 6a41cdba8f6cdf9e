import { describe, expect, it } from "vitest";
import { FEEDS, type FeedCode } from "../../../../src/feeds/catalogue.ts";
import { derivationOf, openCandidates, openRemovalList } from "../../../../src/feeds/derive/candidates.ts";
import { nodesOf, type PlanNode, planOf } from "../../../support/database/query-plan.ts";
import type { FeedRecord } from "../../../support/registry/derived-feeds.ts";
import type { RegistryRows as Rows } from "../../../support/registry/derived-registry.ts";
import type { RegistryRow as Row } from "../../../support/registry/registry-rows.ts";
import { AS_OF, company, context, derive, feedsOf, useDerivation } from "./derivation.ts";

useDerivation();

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

describe.concurrent("every record has of its policy on file", () => {
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
      (await derive([...rows, ...more])).us_small_carriers_active?.map((record) => record.cancellations_12m);
    expect(await counted([])).toEqual([null, null]);
    expect(await counted([source("legacy_inshist")])).toEqual([4, 0]);
  });
});
