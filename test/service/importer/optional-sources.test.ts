import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type CarrierChange, readCarrierChanges } from "../../../src/carriers/carrier-changes.ts";
import type { components } from "../../../src/generated/types.ts";
import { importFolder } from "../../../src/importer/import.ts";
import type { ImportReport } from "../../../src/importer/runs.ts";
import { DATASETS, type Dataset } from "../../../src/registry/datasets.ts";
import { settableClock } from "../../support/clock.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import {
  COMPANIES,
  FEED,
  inLegacy,
  inMotus,
  LATER,
  neededFiles,
  ONLY_LEGACY,
  ORDERS,
  TODAY,
} from "./optional-files.ts";
import { datasetCsv } from "./stage/plain-rows.ts";

type Source = components["schemas"]["SourceOut"];
type Row = Record<string, unknown>;

let service: TestService;
let key: string;
const folders: string[] = [];

beforeAll(async () => {
  service = await startTestService({ clock: settableClock(`${TODAY}T12:00:00Z`) });
  ({ key } = await service.createAccount({ feeds: { [FEED]: null }, rowsPerMonth: 100_000 }));
});
afterAll(async () => {
  await service.stop();
  for (const folder of folders) await rm(folder, { recursive: true });
});

async function importFiles(files: Record<string, string>, isDifference = false): Promise<ImportReport> {
  const folder = await mkdtemp(path.join(tmpdir(), "tdf-optional-"));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  const accept = new Set([
    // The files of another day have other cities, so that they are not those of an earlier import.
    "column-jump:motus_carrier.BUS_CITY",
    // Each of these folders has only some of the files.
    ...DATASETS.map((dataset) => `missing-source:${dataset}`),
  ]);
  return importFolder(service.context, { dir: folder, asOf: null, isDifference, accept });
}

/** The records by USDOT number. */
async function records(query = ""): Promise<Map<string, Row>> {
  const answer = await service.get(`/v1/feeds/${FEED}/records?page_size=1000&${query}`, key);
  expect(answer.status).toBe(200);
  const { data } = (await answer.json()) as { data: Row[] };
  return new Map(data.map((row) => [String(row.dot_number), row]));
}

const values = (rows: Map<string, Row>, column: string): Set<unknown> =>
  new Set([...rows.values()].map((row) => row[column]));

async function source(dataset: Dataset): Promise<Source | undefined> {
  const answer = await service.get("/v1/sources", key);
  const { data } = (await answer.json()) as components["schemas"]["SourcesOut"];
  return data.find((each) => each.source === dataset);
}

const ordersHistory = async (usdot: number): Promise<CarrierChange[]> => {
  const query = { category: "out_of_service", since: null, limit: 100 } as const;
  return (await readCarrierChanges(service.context, usdot, query)).changes;
};

const quotaRows = async (): Promise<number> => {
  const answer = await service.get("/v1/usage", key);
  return ((await answer.json()) as components["schemas"]["UsageOut"]).usage.quota_rows;
};

it("an import without the optional files is not refused; their columns are null, and everybody is told", async () => {
  const report = await importFiles(neededFiles(TODAY));
  const rows = await records();
  expect(rows.size).toBe(COMPANIES);
  for (const column of ["out_of_service", "oos_since", "oos_reason", "boc3_on_file"])
    expect(values(rows, column), column).toEqual(new Set([null]));
  expect(await records("out_of_service=false")).toEqual(new Map());
  expect(report.sources).toEqual([
    {
      dataset: "oos_order",
      asOf: null,
      nullColumns: ["out_of_service", "oos_since", "oos_reason"],
    },
    { dataset: "motus_boc3", asOf: null, nullColumns: ["boc3_on_file"] },
    { dataset: "legacy_boc3", asOf: null, nullColumns: ["boc3_on_file"] },
  ]);
  const charged = await quotaRows();
  expect(await source("oos_order")).toEqual({
    source: "oos_order",
    kind: "live",
    optional: true,
    imported: false,
    as_of: null,
    imported_at: null,
    rows: null,
    stale: false,
    columns: ["out_of_service", "oos_since", "oos_reason"],
  });
  expect(await source("motus_authhist")).toMatchObject({
    imported: true,
    as_of: TODAY,
    stale: false,
    columns: [],
  });
  expect(await source("legacy_carrier")).toMatchObject({
    kind: "frozen",
    as_of: "2026-05-14",
    rows: COMPANIES,
  });
  expect(await quotaRows()).toBe(charged);
});

it("the difference of an optional file that never came whole is not read", async () => {
  const report = await importFiles(
    {
      "motus_boc3.csv": datasetCsv("motus_boc3", [{}]),
      "motus_carrier.csv": datasetCsv("motus_carrier", inMotus().slice(0, 1)),
    },
    true,
  );
  expect(report.files.map(({ dataset }) => dataset)).toEqual(["motus_carrier"]);
  expect(report.skipped).toMatchObject([
    { file: "motus_boc3.csv", why: expect.stringContaining("never imported whole") },
  ]);
  expect(values(await records(), "boc3_on_file")).toEqual(new Set([null]));
});

it("the first file of orders fills every record at once, and is no jump of the feed", async () => {
  const report = await importFiles({ "oos_order.csv": datasetCsv("oos_order", ORDERS) });
  expect(report.feeds.find(({ feed }) => feed === FEED)?.changes?.changed.out_of_service?.rows).toBe(
    COMPANIES,
  );
  const rows = await records();
  const outOfService = (await records("out_of_service=true")).keys().toArray().sort();
  // An order counts until the day of its rescission, whatever its reason; an unreadable rescission lifts nothing.
  expect(outOfService).toEqual(["101", "104", "105", "106", "107", "108"]);
  expect(await records("out_of_service=0")).toHaveLength(COMPANIES - outOfService.length);
  const shown = (dot: string) => {
    const { out_of_service, oos_since, oos_reason } = rows.get(dot) ?? {};
    return [out_of_service, oos_since, oos_reason];
  };
  // Of two orders in force the first.
  expect(shown("101")).toEqual([true, "2026-09-01", "Unsatisfactory = Unfit"]);
  expect(shown("102")).toEqual([false, null, null]);
  expect(shown("106")).toEqual([true, "2026-09-26", null]);
  expect(shown("107")).toEqual([true, "2026-09-20", "Decree 42"]);
  expect(shown("108")).toEqual([true, null, "New Entrant Revoked - Refusal of Audit/No Contact"]);
  expect(shown("120")).toEqual([false, null, null]);
  expect(await source("oos_order")).toMatchObject({
    imported: true,
    as_of: TODAY,
    rows: ORDERS.length,
    stale: false,
  });
});

it("BOC-3 filings come from Motus, else from the legacy registry, and name the agents whose contacts are blanked", async () => {
  const before = await records();
  expect(before.get("101")).toMatchObject({ phone: "5125550001", email: "desk@all-states.example" });
  // A blank agent, a docket that is missing, and a filing by USDOT number only.
  const motus = inMotus();
  await importFiles({
    "motus_boc3.csv": datasetCsv(
      "motus_boc3",
      motus
        .with(1, { ...motus[1], CO_NAME: " " })
        .with(2, { DOCKET_NUMBER: "MC901", USDOT_NUMBER: "901" })
        .with(3, { ...motus[3], DOCKET_NUMBER: "" }),
    ),
    "legacy_boc3.csv": datasetCsv("legacy_boc3", inLegacy()),
  });
  const rows = await records();
  const without = [...rows].filter(([, row]) => row.boc3_on_file === false).map(([dot]) => dot);
  // Motus denies only what it has a row of. Where it is silent, an agent of the legacy registry counts.
  expect(without.sort()).toEqual(["102"]);
  expect(rows.get("103")).toMatchObject({ status_source: "motus", boc3_on_file: true });
  expect(rows.get(ONLY_LEGACY)).toMatchObject({ status_source: "legacy", boc3_on_file: true });
  expect(rows.get("101")).toMatchObject({ phone: null, cell_phone: null, email: null });
  expect(rows.get("104")).toMatchObject({ phone: "5125550004", boc3_on_file: true });
});

it("a file that stops coming is told, first as old, then its columns are null", async () => {
  service.clock.set("2026-10-09T12:00:00Z");
  expect(await source("oos_order")).toMatchObject({ stale: true, as_of: TODAY });
  const old = await importFiles(neededFiles("2026-10-09"));
  expect(old.sources).toMatchObject([
    { dataset: "oos_order", asOf: TODAY, nullColumns: [] },
    { dataset: "motus_boc3", nullColumns: [] },
  ]);
  expect((await records("out_of_service=true")).size).toBe(6);
  service.clock.set(`${LATER}T12:00:00Z`);
  const unknown = await importFiles(neededFiles(LATER));
  expect(unknown.sources).toMatchObject([
    { dataset: "oos_order", asOf: TODAY, nullColumns: ["out_of_service", "oos_since", "oos_reason"] },
    { dataset: "motus_boc3", asOf: TODAY, nullColumns: ["boc3_on_file"] },
  ]);
  const rows = await records();
  expect(values(rows, "out_of_service")).toEqual(new Set([null]));
  // The legacy registry stopped long ago, so its files do not age.
  expect(rows.get(ONLY_LEGACY)).toMatchObject({ boc3_on_file: true });
  expect(values(rows, "boc3_on_file")).toEqual(new Set([null, true]));
  const again = [
    ...ORDERS.with(5, { ...ORDERS[5], RESCIND_DATE: "2026-11-05" }).with(6, {
      ...ORDERS[6],
      OOS_REASON: "DECREE: 42.",
    }),
    { DOT_NUMBER: "120", OOS_DATE: LATER, OOS_REASON: "Imminent Hazard" },
    { DOT_NUMBER: "901", OOS_DATE: LATER },
  ];
  const { recordedChanges } = await importFiles({ "oos_order.csv": datasetCsv("oos_order", again) });
  expect(await records("out_of_service=true")).toHaveLength(5);
  // It is compared with the file before, however old. 901 has no authority, and the reason of 107 is only typed again.
  expect(recordedChanges).toEqual({ out_of_service: 2 });
  expect(await ordersHistory(106)).toMatchObject([
    { field: "rescinded_on", old_value: null, new_value: "2026-11-05", registry_on: "2026-11-05" },
  ]);
  expect(await ordersHistory(120)).toMatchObject([
    {
      field: "out_of_service_order",
      item: { ordered_on: LATER },
      old_value: null,
      new_value: { ordered_on: LATER, reason: "Imminent Hazard", rescinded_on: null },
      registry_on: LATER,
      source: "oos_order",
    },
  ]);
});
