import { describe, expect, it } from "vitest";
import { explainCarrier } from "../../../../src/carriers/explain/explain.ts";
import type { RegistryRows as Rows } from "../../../support/registry/derived-registry.ts";
import type { RegistryRow as Row } from "../../../support/registry/registry-rows.ts";
import { changeRows, emptyTables } from "../../../support/rows.ts";
import { company, context, explained, history, publish, useExplanations, verdict } from "./explained.ts";

useExplanations();

describe("the verdict on a feed", () => {
  it("names the number that is too large", async () => {
    expect(verdict(await explained(...company({ power_units: 34 })), "us_small_carriers_active")).toEqual({
      is_in: false,
      because: ["MC123 (carrier of property): power units 34 are more than 20"],
    });
  });

  it("names the status of the authority, and the registry that gives it", async () => {
    const motus = await explained(...company({}, { status: "inactive" }));
    expect(verdict(motus, "us_small_carriers_active")).toEqual({
      is_in: false,
      because: ["MC123 (carrier of property): is inactive (Motus)"],
    });
    expect(verdict(motus, "us_brokers")).toEqual({
      is_in: false,
      because: ["no broker, freight forwarder authority is on record"],
    });
  });

  it("names a day of grant that is too long ago, and the rules that are met otherwise", async () => {
    const old = await explained(...company(), history({ changed_on: "2026-09-01" }));
    expect(verdict(old, "us_new_authority_weekly")).toEqual({
      is_in: false,
      because: [
        "MC123 (carrier of property): granted 2026-09-01, 80 days before 2026-11-20: 28 days ago or earlier",
      ],
    });
    await emptyTables(context.db.pool, "census", "motus_carrier", "motus_authhist", "authority");
    const recent = await explained(...company(), history({}));
    expect(verdict(recent, "us_new_authority_weekly")).toEqual({
      is_in: true,
      because: [
        "MC123 (carrier of property): is active (Motus); its USDOT number is active in the census; " +
          "granted 2026-11-15, 5 days before 2026-11-20: less than 28 days ago; no revocation pending",
      ],
    });
  });

  it("says since when a revocation is pending, and that other feeds leave the company out", async () => {
    const pending = await explained(...company(), history({ changed_on: "2020-01-01" }), [
      "motus_revokesuspend",
      {
        row_id: "00000000-0000-0000-0000-000000000001",
        docket: "MC123",
        usdot: 1001,
        op_auth_type: "Motor Carrier of Property",
        authority_class: "carrier_property",
        order_type: "Involuntary Suspension Notice",
        served_on: "2026-11-01",
        effective_on: "2026-12-01",
      },
    ]);
    const since = "revocation pending since 2026-11-01, effective 2026-12-01 (Involuntary Suspension Notice)";
    expect(verdict(pending, "us_small_carriers_active")).toEqual({
      is_in: false,
      because: [`MC123 (carrier of property): ${since}`],
    });
    expect(verdict(pending, "us_revocation_pending")).toEqual({
      is_in: true,
      because: [`MC123 (carrier of property): is active (Motus); ${since}`],
    });
    expect(pending.authorities[0]?.pending_revocations).toEqual([
      {
        order_type: "Involuntary Suspension Notice",
        source: "motus",
        served_on: "2026-11-01",
        effective_on: "2026-12-01",
      },
    ]);
  });

  it("names the insurance that ends, and its last day", async () => {
    const cancelled = await explained(...company(), [
      "motus_inshist",
      {
        row_id: "00000000-0000-0000-0000-000000000002",
        docket: "MC123",
        usdot: 1001,
        filing_status: "CANCEL",
        type_code: "1",
        policy_key: "A1",
        cancelled_on: "2026-12-10",
        insurer: "ACME MUTUAL",
      },
    ]);
    expect(verdict(cancelled, "us_insurance_lapse_alerts")).toEqual({
      is_in: true,
      because: [
        "MC123 (carrier of property): is active; bipd of ACME MUTUAL is cancelled from 2026-12-10, and no other one covers from the day after",
      ],
    });
    expect(cancelled.authorities[0]?.ended_policies).toMatchObject([{ cancelled_on: "2026-12-10" }]);
  });

  it.each<[string, Row, string]>([
    ["abroad", { country: "MX" }, "belongs to a company in MX, outside the US"],
    [
      "a test record",
      { legal_name: "MOTUS TEST CARRIER" },
      "belongs to a record of the registry itself or for tests (MOTUS TEST CARRIER)",
    ],
    [
      "with an inactive number",
      { status_code: "I" },
      "its USDOT number is not active in the census (status I)",
    ],
  ])("names the rule that leaves out a company %s", async (_name, census, why) => {
    expect(verdict(await explained(...company(census)), "us_small_carriers_active")).toEqual({
      is_in: false,
      because: [`MC123 (carrier of property): ${why}`],
    });
  });

  it("names the authority that the record of a company is about", async () => {
    const two = await explained(...company(), history({ changed_on: "2020-01-01" }), [
      "motus_carrier",
      { usdot: 1001, docket: "MC99" },
    ]);
    const { is_in, because } = verdict(two, "us_small_carriers_active");
    expect(is_in).toBe(true);
    expect(because?.[0]).toMatch(/^MC123 \(carrier of property\): is active/);
    expect(because?.[1]).toBe(
      "MC99 (carrier of property): one record per company: the authority granted first is another one",
    );
  });

  it("says when the served version was published with other lists", async () => {
    await publish(company());
    await changeRows(context.db.pool, "census", { power_units: 40 });
    const { feeds } = await explainCarrier(context, 1001);
    expect(feeds.find(({ feed }) => feed === "us_small_carriers_active")).toMatchObject({
      is_in: false,
      is_served: true,
    });
  });
});

describe("the date of grant", () => {
  const grantOf = async (...rows: Rows) => (await explained(...company(), ...rows)).authorities[0]?.grant;

  it("names the row it comes from", async () => {
    expect(await grantOf(history({}))).toBe("granted 2026-11-15 (Granted in Motus), the earliest on record");
  });

  it("names the end of an earlier authority", async () => {
    const again = await grantOf(
      [
        "legacy_authhist",
        {
          usdot: 1001,
          docket: "MC123",
          action_on: "2001-02-03",
          final_action: "REVOKED",
          final_on: "2010-05-06",
        },
      ],
      history({ reason: "GRANTED", changed_on: "2015-01-01" }),
    );
    expect(again).toBe(
      "granted 2015-01-01 (GRANTED in Motus), an earlier grant of 2001-02-03 ended on 2010-05-06 (REVOKED)",
    );
  });

  it("calls what ended only one of common and contract authority no end without a later grant", async () => {
    const row = (values: Rows[number][1]): Rows[number] => [
      "legacy_authhist",
      { usdot: 1001, docket: "MC123", op_auth_type: "CONTRACT", ...values },
    ];
    const granted = await grantOf(
      row({ op_auth_type: "COMMON", action_on: "1990-01-15" }),
      row({ action_on: "1992-01-01", final_action: "REVOKED", final_on: "2005-01-01" }),
      row({ action_on: "2010-09-09" }),
    );
    expect(granted).toBe("granted 1990-01-15 (GRANTED in the legacy history), the earliest on record");
  });

  it("says when there is none", async () => {
    expect(await grantOf()).toBe("no grant is on record");
  });
});
