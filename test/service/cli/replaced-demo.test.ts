import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { markDemo } from "../../../src/platform/installation/installation.ts";
import { type RegistryFolders, registryFolders } from "../../support/registry/registry-folders.ts";
import { startTestService, type TestService } from "../../support/service.ts";

let folders: RegistryFolders;

beforeAll(async () => {
  folders = await registryFolders({ carriers: 600, seed: 5, firstDay: "2026-11-17", days: 3 });
});
afterAll(() => folders.close());

describe("real files instead of the demo", () => {
  const FIVE = [
    "census.csv",
    "motus_carrier.csv",
    "motus_authhist.csv",
    "legacy_carrier.txt",
    "legacy_authhist.csv",
  ];
  const OTHERS = ["motus_revokesuspend.csv", "motus_insur.csv", "motus_inshist.csv"];
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  it("leave nothing of it, and feeds without their files are not live", async () => {
    const { importFolder } = await import("../../../src/importer/import.ts");
    const options = { asOf: null, accept: new Set<string>() };
    await importFolder(service.context, { dir: folders.day(0), demoFirstDay: "2026-11-17", ...options });
    await service.context.db.transaction((client) => markDemo(client, "2026-11-17"));
    const feeds = [
      "us_new_authority_weekly",
      "us_small_carriers_active",
      "us_revocation_pending",
      "us_insurance_lapse_alerts",
      "us_brokers",
    ];
    const { key } = await service.createAccount({
      feeds: Object.fromEntries(feeds.map((feed) => [feed, null])),
    });
    const page = async (feed: string, query = "") =>
      service.get(`/v1/feeds/${feed}/records?page_size=1${query}`, key);
    const versions = new Map<string, number>();
    for (const feed of feeds) {
      const { meta } = (await (await page(feed)).json()) as { meta: { version: number } };
      versions.set(feed, meta.version);
    }
    const dir = await folders.changed(1, OTHERS[0] as string, () => null);
    for (const other of OTHERS.slice(1)) await rm(path.join(dir, other));
    expect(await readFile(path.join(dir, FIVE[0] as string), "latin1")).toContain("DOT_NUMBER");
    await importFolder(service.context, { dir, replaceDemo: true, ...options });
    for (const feed of feeds) {
      expect(await (await page(feed)).json(), feed).toMatchObject({ status: 403, code: "feed_not_live" });
      const old = await page(feed, `&version=${versions.get(feed)}`);
      expect(old.status, `${feed} of the demo`).toBe(403);
      expect((await service.get(`/v1/feeds/${feed}/export.csv`, key)).status).toBe(403);
    }
    const { rows } = await service.context.db.pool.query(
      `SELECT (SELECT count(*) FROM event)::int AS events, (SELECT count(*) FROM feed_version)::int AS versions,
         (SELECT count(*) FROM feed_size)::int AS sizes`,
    );
    expect(rows).toEqual([{ events: 0, versions: 0, sizes: 0 }]);
  });
});

it("changes of carriers get no id again that one of the demo had, and a reader goes on after it", async () => {
  const service = await startTestService();
  const { importFolder } = await import("../../../src/importer/import.ts");
  const { db } = service.context;
  const idsOf = async () => {
    const { rows } = await db.pool.query<{ id: number }>("SELECT id FROM carrier_change ORDER BY id");
    return rows.map(({ id }) => id);
  };
  const options = { asOf: null, accept: new Set<string>() };
  const importDay = (day: number, more: object = {}) =>
    importFolder(service.context, { dir: folders.day(day), ...options, ...more });
  await importDay(0, { demoFirstDay: "2026-11-17" });
  await importDay(1, { demoFirstDay: "2026-11-17" });
  await db.transaction((client) => markDemo(client, "2026-11-17"));
  const { key } = await service.createAccount({ feeds: { us_brokers: null } });
  const page = async (query: string) => {
    const answer = await service.get(`/v1/carrier-changes?${query}`, key);
    return (await answer.json()) as { meta: { resume_cursor: string } };
  };
  const { meta } = await page("limit=1");
  const ofDemo = await idsOf();
  await importDay(1, { replaceDemo: true });
  expect(await idsOf()).toEqual([]);
  expect((await page(`cursor=${meta.resume_cursor}`)).meta).toEqual(meta);
  await importDay(2);
  const last = ofDemo.at(-1) ?? 0;
  const later = await idsOf();
  expect([ofDemo.length, later.length]).not.toContain(0);
  expect(later).toEqual(later.map((_, index) => last + 1 + index));
  await service.stop();
});
