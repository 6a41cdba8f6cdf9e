import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { updateSharedValues } from "../../../src/carriers/connections/shared-values.ts";
import { explainCarrier } from "../../../src/carriers/explain/explain.ts";
import { importFolder } from "../../../src/importer/import.ts";
import type { ImportReport } from "../../../src/importer/runs.ts";
import { settableClock } from "../../support/clock.ts";
import { startTestService, type TestService } from "../../support/service.ts";

const EXTRACTS = path.join(import.meta.dirname, "../../fixtures/fmcsa");

let folder: string;
let service: TestService;
let key: string;
let report: ImportReport;

// The newest row of the extract of Motus AuthHist is of 2021-06-15; the test uses the last day on which its feeds are
// fresh. The extracts of the census and of RevokeSuspend are of later and of far earlier days, so a row of each gets
// that day.
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tdf-extracts-"));
  await cp(EXTRACTS, folder, { recursive: true });
  await replaceIn("census_company_sample.csv", "\n20231020 2057,", "\n20210615 2057,");
  await replaceIn("motus_events_sample.json", '"20051122"', '"20210615"');
  service = await startTestService({ clock: settableClock("2021-06-16T12:00:00Z") });
  ({ key } = await service.createAccount({
    feeds: { us_new_authority_weekly: null, us_small_carriers_active: null, us_brokers: null },
  }));
  report = await importExtracts();
});

afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

async function replaceIn(name: string, found: string, put: string): Promise<void> {
  const file = path.join(folder, name);
  await writeFile(file, (await readFile(file, "latin1")).replace(found, put), "latin1");
}

const importExtracts = () => importFolder(service.context, { dir: folder, asOf: null, accept: new Set() });

it("are imported from their folder, each file recognised by its header", () => {
  const datasets = report.files.map(({ dataset }) => dataset);
  expect(datasets).toEqual(
    expect.arrayContaining([
      "census",
      "motus_carrier",
      "motus_authhist",
      "legacy_carrier",
      "legacy_authhist",
    ]),
  );
  expect(report.asOf).toBe("2021-06-15");
});

it("give USDOT number 295017 the grant of the legacy registry and the reinstated status of Motus", async () => {
  const answer = await service.get("/v1/carriers/295017", key);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({
    company: "UNITED MOVING AND STORAGE INC",
    records: [
      {
        feed: "us_small_carriers_active",
        as_of: "2021-06-15",
        record: {
          docket_number: "MC139446",
          authority_type: "carrier_hhg",
          authority_granted: "1986-07-18",
          status_source: "motus",
          last_verified: "2021-06-15",
          power_units: 18,
          phone: "3605550148",
          state: "WA",
          zip: "98311-3729",
          time_zone: "America/Los_Angeles",
          insurance_required: 750_000,
          insurance_on_file: 1_000_000,
          insurer: "Vanliner Insurance Company",
          // 2025-01-01 of the extract is too far ahead of the test's day.
          policy_effective: null,
          cancellation_pending: null,
          cancellations_12m: 0,
        },
      },
    ],
  });
});

it.each([
  [1, "FMCSA's own record"],
  [45, "an inactive USDOT number whose docket is marked active"],
  [65, "another"],
  [100, "and another"],
  [254, "an active USDOT number whose docket is marked inactive"],
])("leave USDOT number %i out: %s", async (usdot) => {
  expect((await service.get(`/v1/carriers/${usdot}`, key)).status).toBe(404);
});

it("are explained for each carrier", async () => {
  const explained = JSON.stringify(await explainCarrier(service.context, 295017));
  expect(explained).toContain("1986-07-18");
});

it("name no predecessor, so that they can't tell how many links are false", async () => {
  await updateSharedValues(service.context);
  const { pool } = service.context.db;
  const kinds = await pool.query("SELECT kind, count(DISTINCT value)::int FROM shared_value GROUP BY kind");
  expect(kinds.rows).toEqual([]);
  // The statement of docs/connections.md, for a registry that has some.
  const page = await readFile(path.join(import.meta.dirname, "../../../docs/connections.md"), "utf8");
  const [, statement = ""] = /```sql\n(.*?)```/s.exec(page) ?? [];
  const counted = await pool.query(statement);
  expect(counted.rows).toEqual([{ declared: 0, found_by_signs: 0 }]);
});

it("change nothing when imported again", async () => {
  const again = await importExtracts();
  expect(again.feeds.filter(({ isNew }) => isNew)).toEqual([]);
  expect(
    Object.values(again.changes).every((change) => change.inserted + change.updated + change.deleted === 0),
  ).toBe(true);
});
