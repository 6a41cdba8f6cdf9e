import { createHash } from "node:crypto";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateRegistry } from "../../../src/cli/registry/made-up-registry.ts";
import type { components } from "../../../src/generated/types.ts";
import { importFolder } from "../../../src/importer/import.ts";
import type { ImportReport } from "../../../src/importer/runs.ts";
import { settableClock } from "../../support/clock.ts";
import { startTestService, type TestService } from "../../support/service.ts";

type FeedsOut = components["schemas"]["FeedsOut"];

const FEEDS = [
  "us_new_authority_weekly",
  "us_small_carriers_active",
  "us_revocation_pending",
  "us_insurance_lapse_alerts",
  "us_brokers",
];

let folder: string;
let service: TestService;
let key: string;
const days: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tdf-story-"));
  service = await startTestService({ clock: settableClock("2026-11-20T18:00:00Z") });
  const plan = { requestsPerMinute: 100_000, rowsPerMonth: 100_000_000 };
  ({ key } = await service.createAccount({
    ...plan,
    feeds: Object.fromEntries(FEEDS.map((code) => [code, null])),
  }));
  const written = await generateRegistry({
    outDir: folder,
    carriers: 1_500,
    seed: 3,
    firstDay: "2026-11-18",
    days: 3,
  });
  days.push(...written.map(({ dir }) => dir));
});

afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

const importDay = (dir: string): Promise<ImportReport> =>
  importFolder(service.context, { dir, asOf: null, accept: new Set() });

interface Page {
  data: Record<string, unknown>[];
  has_more: boolean;
  as_of: string;
  meta: { version: number; verified_on: Record<string, string> };
}

async function page(feed: string, query: string): Promise<Page> {
  const answer = await service.get(`/v1/feeds/${feed}/records?${query}`, key);
  if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Page;
}

/** A hash of everything that is served now: every feed's CSV. */
async function served(): Promise<string> {
  const hash = createHash("sha256");
  for (const feed of FEEDS) {
    const answer = await service.get(`/v1/feeds/${feed}/export.csv`, key);
    hash.update(`${answer.status} ${await answer.text()}`);
  }
  return hash.digest("hex");
}

describe("before the first import", () => {
  it("answers that no feed is live, and lists the plan's feeds without a date", async () => {
    const answer = await service.get("/v1/feeds/us_brokers/records", key);
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ code: "feed_not_live" });
    const feeds = (await (await service.get("/v1/feeds", key)).json()) as FeedsOut;
    expect(feeds.data).toMatchObject(FEEDS.map((code) => ({ code, as_of: null, fresh: false })));
  });

  it("refuses a folder without the files that the feeds need, and stays not live", async () => {
    const partial = await mkdtemp(path.join(folder, "partial-"));
    await cp(path.join(days[0] ?? "", "census.csv"), path.join(partial, "census.csv"));
    await expect(importDay(partial)).rejects.toThrow(/--accept missing-source/);
    expect((await service.get("/v1/feeds/us_brokers/records", key)).status).toBe(403);
  });
});

describe("importing day after day", () => {
  it("serves each day's registry, and importing it again changes nothing", async () => {
    const first = await importDay(days[0] ?? "");
    expect(first.asOf).toBe("2026-11-18");
    expect(first.feeds.every((feed) => feed.isNew && feed.rowsAfter > 0)).toBe(true);
    const before = await served();

    const again = await importDay(days[0] ?? "");
    expect(again.feeds.every((feed) => !feed.isNew)).toBe(true);
    expect(Object.values(again.changes)).toEqual(
      Object.values(again.changes).map(() => ({ inserted: 0, updated: 0, deleted: 0 })),
    );
    expect(await served()).toBe(before);

    const second = await importDay(days[1] ?? "");
    expect(second.asOf).toBe("2026-11-19");
    expect(await served()).not.toBe(before);
    expect((await page("us_brokers", "page_size=1")).as_of).toBe("2026-11-19");
  });

  it.each(FEEDS)("tells the days from which the volatile columns of %s follow", async (feed) => {
    const { data, as_of: asOf, meta } = await page(feed, "page_size=1000");
    for (const { status_source: source, authority_granted: granted, ...record } of data) {
      expect(record).toMatchObject({
        last_verified: meta.verified_on[String(source)],
        days_in_business:
          granted === null ? null : (Date.parse(asOf) - Date.parse(String(granted))) / 86_400_000,
      });
    }
    const sources = new Set(data.map((record) => record.status_source));
    // Only Motus has grants and lapses since the legacy registry stopped.
    expect(sources).toContain("motus");
    if (/brokers|small/.test(feed)) expect(sources).toContain("legacy");
  });

  it("never mixes versions for readers who walk pages and exports while it publishes", async () => {
    const walker = async () => {
      const first = await page("us_small_carriers_active", "page_size=50");
      const rows = [...first.data];
      let number = 1;
      let hasMore = first.has_more;
      while (hasMore) {
        number += 1;
        const next = await page(
          "us_small_carriers_active",
          `page_size=50&page=${number}&version=${first.meta.version}`,
        );
        expect(next.meta.version).toBe(first.meta.version);
        rows.push(...next.data);
        hasMore = next.has_more;
      }
      return { version: first.meta.version, asOf: first.as_of, rows };
    };
    let isPublished = false;
    const walks: Awaited<ReturnType<typeof walker>>[] = [];
    const exported: string[] = [];
    const readers = Array.from({ length: 4 }, async (_, index) => {
      while (!isPublished) {
        if (index % 2 === 0) walks.push(await walker());
        else
          exported.push(
            await (await service.get("/v1/feeds/us_small_carriers_active/export.csv", key)).text(),
          );
      }
    });
    await importDay(days[2] ?? "");
    isPublished = true;
    await Promise.all(readers);
    walks.push(await walker());

    const byVersion = Map.groupBy(walks, (walk) => walk.version);
    expect(byVersion.size).toBe(2);
    for (const same of byVersion.values()) {
      for (const walk of same) expect(walk).toEqual(same[0]);
      const dots = same[0]?.rows.map((row) => row.dot_number);
      expect(new Set(dots).size).toBe(dots?.length);
    }
    const wholes = [...byVersion.values()].map((same) => same[0]?.rows.map((row) => row.dot_number));
    for (const csv of exported) {
      const dots = (parse(csv, { columns: true }) as { dot_number: string }[]).map((row) => row.dot_number);
      expect(wholes).toContainEqual(dots);
    }
  });
});

describe("once the newest row is more than five days old", () => {
  it("answers stale_source on records, export and carriers, and the list of feeds says so", async () => {
    const [record] = (await page("us_brokers", "page_size=1")).data;
    service.clock.set("2026-11-26T12:00:00Z");
    for (const path of [
      "feeds/us_brokers/records",
      "feeds/us_brokers/export.csv",
      `carriers/${record?.dot_number}`,
    ]) {
      const answer = await service.get(`/v1/${path}`, key);
      expect([path, answer.status]).toEqual([path, 503]);
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(await answer.json()).toMatchObject({ code: "stale_source" });
    }
    const feeds = (await (await service.get("/v1/feeds", key)).json()) as FeedsOut;
    expect(feeds.data.map((feed) => feed.fresh)).toEqual(FEEDS.map(() => false));
    service.clock.set("2026-11-25T23:00:00Z");
    expect((await service.get("/v1/feeds/us_brokers/records", key)).status).toBe(200);
  });
});
