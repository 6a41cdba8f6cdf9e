import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Context } from "../../../src/platform/context.ts";
import { fillTestMode } from "../../../src/testmode/fill.ts";
import { FIXTURE_DAYS, fixtureCarriers } from "../../../src/testmode/fixture/fixture.ts";
import { createTestKey } from "../../../src/testmode/test-keys.ts";
import { findTestMode } from "../../../src/testmode/test-mode.ts";
import { changeRows } from "../../support/rows.ts";
import { startTestService, type TestService } from "../../support/service.ts";

interface Carrier {
  records: { feed: string; record: Record<string, unknown> }[];
  events: { type: string; occurred_at: string }[];
}

const [, , LAST_DAY] = FIXTURE_DAYS;

// Years after the fixture's days: they stay the same, and test mode with them.
let service: TestService;
let key: string;
const read = async <Body = Record<string, unknown>>(path: string): Promise<Body> => {
  const answer = await service.get(path, key);
  expect(answer.headers.get("X-Test-Mode"), path).toBe("true");
  return (await answer.json()) as Body;
};
const carrier = (number: number) => read<Carrier>(`/v1/carriers/${90_000_000 + number}`);

beforeAll(async () => {
  service = await startTestService();
  const { accountId } = await service.createAccount({ apiAccess: false });
  ({ key } = await createTestKey(service.context, accountId, "first"));
  service.clock.advance(3 * 365 * 86_400_000);
}, 120_000);
afterAll(() => service.stop());

describe("the fixture registry", () => {
  // They named a company that neither test mode nor a demo has.
  it("has a carrier for the commands of the guide to reading", async () => {
    const guide = await (await service.get("/docs/reading.md")).text();
    const blocks = guide.match(/(?<=```bash\n)[^`]*\/(?:carrier-changes|connections)\?[^`]*/g) ?? [];
    expect(blocks).toHaveLength(2);
    const script = blocks.join("").replaceAll(service.context.config.publicUrl, service.url);
    const { stdout } = await promisify(execFile)("bash", ["-c", script], {
      env: { ...process.env, TDF_KEY: key },
    });
    expect(stdout).toContain('"added":1');
    expect(stdout).not.toContain("not_found");
  });

  it("serves every feed, as of its last day", async () => {
    const { data } = await read<{ data: { code: string; as_of: string; fresh: boolean }[] }>("/v1/feeds");
    expect(data).toHaveLength(5);
    for (const feed of data) {
      expect(feed).toMatchObject({ as_of: LAST_DAY, fresh: true });
      const page = await read<{ data: unknown[] }>(`/v1/feeds/${feed.code}/records`);
      expect(page.data.length, feed.code).toBeGreaterThan(0);
    }
  });

  it("serves every file as current, unless a request asks for stale data", async () => {
    const staleIn = async (headers: Record<string, string> = {}) => {
      const { data } = (await (await service.get("/v1/sources", key, headers)).json()) as {
        data: { source: string; stale: boolean }[];
      };
      return data.flatMap(({ source, stale }) => (stale ? [source] : []));
    };
    expect(await staleIn()).toEqual([]);
    const stale = await staleIn({ "X-Test-Situation": "stale_data" });
    expect(stale).toContain("census");
    expect(stale.filter((source) => source.startsWith("legacy_"))).toEqual([]);
  });

  it("has every type of event, as the guide says", async () => {
    const { data } = await read<{ data: { type: string; usdot: string; occurred_at: string }[] }>(
      "/v1/events?since=2026-01-01T00:00:00Z",
    );
    const told = fixtureCarriers().flatMap(({ usdot, about }) =>
      [...about.matchAll(/Event `(\w+)`/g)].map(([, type]) => `${usdot} ${type}`),
    );
    expect(data.map(({ type, usdot }) => `${usdot} ${type}`).sort()).toEqual(told.sort());
    expect(new Set(data.map(({ type }) => type)).size).toBe(5);
  });

  // What `about` of each company says.
  it.for<[number, readonly [feed: string, record: Record<string, unknown>][]]>([
    [1, [["us_small_carriers_active", { power_units: 5, boc3_on_file: true, insurance_on_file: 750_000 }]]],
    [2, [["us_new_authority_weekly", { authority_granted: "2026-09-29" }]]],
    [3, [["us_revocation_pending", { order_served: "2026-09-29", order_effective: "2026-10-29" }]]],
    [4, [["us_insurance_lapse_alerts", { alert_reason: "suspended", authority_status: "inactive" }]]],
    [5, [["us_small_carriers_active", { authority_status: "active" }]]],
    [7, [["us_brokers", { entity_type: "broker", bond_form: "bond" }]]],
    [8, [["us_brokers", { entity_type: "broker", bond_form: "trust_fund" }]]],
    [9, [["us_brokers", { entity_type: "freight_forwarder" }]]],
    [
      10,
      [["us_insurance_lapse_alerts", { alert_reason: "cancellation", cancellation_effective: "2026-10-15" }]],
    ],
    [11, [["us_insurance_lapse_alerts", { alert_reason: "not_on_file", insurance_on_file: 300_000 }]]],
    [12, [["us_small_carriers_active", { authority_types: ["carrier_property", "carrier_hhg"] }]]],
    [13, [["us_new_authority_weekly", { docket_number: null, authority_granted: "2026-09-15" }]]],
    [15, [["us_small_carriers_active", { phone: null, phone_shared_by: 2 }]]],
    [16, [["us_small_carriers_active", { phone: null, phone_shared_by: 2, street: "15 FIXTURE ROAD" }]]],
    [17, [["us_small_carriers_active", { phone: null, phone_shared_by: 2 }]]],
    [19, [["us_small_carriers_active", { out_of_service: true, oos_since: "2026-09-21" }]]],
    [20, [["us_small_carriers_active", { phone: "2185550188", power_units: 14 }]]],
    [22, [["us_small_carriers_active", { status_source: "legacy", last_verified: "2026-05-14" }]]],
    [25, [["us_revocation_pending", { order_effective: "2026-10-28" }]]],
    [26, [["us_revocation_pending", { order_served: "2026-09-30", order_effective: "2026-10-30" }]]],
  ])("has company %i as the guide says", async ([number, expected]) => {
    const { records } = await carrier(number);
    for (const [feed, record] of expected)
      expect(records.find((each) => each.feed === feed)?.record).toMatchObject(record);
  });

  it.for([6, 14, 18, 21, 24])("has no record of company %i", async (number) => {
    expect(await carrier(number)).toMatchObject({ status: 404 });
  });

  it("connects companies by address and by predecessor", async () => {
    const linked = async (number: number) => {
      const { data } = await read<{ data: { usdot: string; links: { kind: string }[] }[] }>(
        `/v1/carriers/${90_000_000 + number}/connections`,
      );
      return data.map(({ usdot, links }) => [usdot, links.map(({ kind }) => kind).sort()]);
    };
    expect(await linked(16)).toEqual([["90000015", ["address", "email_domain"]]]);
    expect(await linked(23)).toEqual([["90000024", ["declared_predecessor"]]]);
  });

  it("finds companies by name, and tells what changed between two days", async () => {
    const found = await read<{ data: { usdot: string }[] }>("/v1/carriers?name=tamarack");
    expect(found.data.map(({ usdot }) => usdot)).toEqual(["90000020"]);
    const versions = await read<{ data: { version: number }[] }>(
      "/v1/feeds/us_small_carriers_active/versions",
    );
    const oldest = versions.data.at(-1)?.version;
    const changes = await read<{ data: { op: string; record?: { dot_number: string } }[] }>(
      `/v1/feeds/us_small_carriers_active/changes?since_version=${oldest}`,
    );
    expect(changes.data.find(({ record }) => record?.dot_number === "90000020")).toMatchObject({
      op: "changed",
    });
  });
});

it("a fill that is killed before its end begins anew, and corrects nothing", async () => {
  const test = (await findTestMode(service.context)) as Context;
  const events = async () => {
    const { data } = await read<{ data: { id: string; type: string; usdot: string }[] }>(
      "/v1/events?since=2026-01-01T00:00:00Z",
    );
    return data.map(({ type, usdot }) => `${type} ${usdot}`).sort();
  };
  const before = await events();
  await changeRows(test.db.pool, "installation", { fixture: null });
  await fillTestMode(test);
  expect(await events()).toEqual(before);
  expect(await read("/v1/events/corrections?since=2026-01-01T00:00:00Z")).toMatchObject({ data: [] });
});
