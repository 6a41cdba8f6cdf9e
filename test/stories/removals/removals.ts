import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { generateRegistry } from "../../../src/cli/registry/made-up-registry.ts";
import { servedFeeds } from "../../../src/feeds/versions/feeds-list.ts";
import { importFolder } from "../../../src/importer/import.ts";
import { exportRemovals } from "../../../src/suppression/transfer/export.ts";
import { restoreRemovals } from "../../../src/suppression/transfer/import.ts";
import { settableClock } from "../../support/clock.ts";
import { copyTestDatabase, createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { parquetRecords } from "../../support/feeds/parquet-records.ts";
import { EVERYTHING, FEED_CODES } from "../../support/feeds/served-feeds.ts";
import { type OptOutIn, optOut } from "../../support/removals/opt-outs.ts";
import { startTestService, type TestService } from "../../support/service.ts";

const DAYS = 3;
const dayOf = (day: number): string => `2026-11-${17 + day}`;
const DAY_MS = 86_400_000;
/** Fewer than the number from which requests wait for an operator. */
const ASKED_A_DAY = 40;
const env = { TRUST_PROXY_HOPS: "1" };

/** A business of the feeds, which identifies itself with values that the feeds show. */
interface Subject {
  usdot: string;
  body: OptOutIn;
}

/**
 * Many businesses ask for removal, each by another identifier. Then the next days are imported, a backup from before
 * replaces the database, and the exported list is imported. None of these businesses is served again, in any way.
 */
export async function expectGoneForGood({ carriers, removals }: Record<string, number>): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "tdf-removed-"));
  const database = await createTestDatabase();
  let backup: TestDatabase | undefined;
  const clock = settableClock(`${dayOf(0)}T18:00:00Z`);
  try {
    const options = { outDir: folder, carriers: carriers ?? 0, seed: 5, firstDay: dayOf(0), days: DAYS };
    const days = (await generateRegistry(options)).map(({ dir }) => dir);
    const importDay = async (service: TestService, day: number) => {
      const at = `${dayOf(day)}T18:00:00Z`;
      if (clock.now() < new Date(at)) clock.set(at);
      await importFolder(service.context, { dir: days[day] ?? "", asOf: null, accept: new Set() });
    };
    const open = (url: string) => startTestService({ databaseUrl: url, clock, env });

    const first = await open(database.url);
    await importDay(first, 0);
    await importDay(first, 1);
    await first.stop();
    backup = await copyTestDatabase(database);

    const service = await open(database.url);
    const subjects = await subjectsOf(service, removals ?? 0);
    for (const [index, { body }] of subjects.entries()) {
      if (index > 0 && index % ASKED_A_DAY === 0) clock.advance(DAY_MS);
      await optOut(service.url, body);
    }
    const asked = subjects.map(({ usdot }) => usdot);
    expect(await servedOf(service, asked)).toEqual([]);
    for (let day = 2; day < DAYS; day++) {
      await importDay(service, day);
      expect(await servedOf(service, asked)).toEqual([]);
    }
    const exported: string[] = [];
    await exportRemovals(service.context, async (lines) => {
      exported.push(...lines);
    });
    await service.stop();

    clock.set(`${dayOf(1)}T18:00:00Z`);
    const restored = await open(backup.url);
    expect((await servedOf(restored, asked)).length).toBe(asked.length);
    await restoreRemovals(restored.context, servedFeeds, exported);
    expect(await servedOf(restored, asked)).toEqual([]);
    await importDay(restored, 2);
    expect(await servedOf(restored, asked)).toEqual([]);
    await restored.stop();
  } finally {
    await backup?.drop();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  }
}

type Row = Record<string, string | null>;

/** Businesses from all feeds, and a request of each: by number, docket, phone or e-mail in turn. */
async function subjectsOf(service: TestService, count: number): Promise<Subject[]> {
  const { key } = await service.createAccount(EVERYTHING);
  const shown = new Map<string, Row>();
  for (const feed of FEED_CODES) {
    const answer = await service.get(`/v1/feeds/${feed}/records?page_size=${Math.ceil(count / 2)}`, key);
    const { data } = (await answer.json()) as { data: Row[] };
    for (const row of data) if (row.phone && row.email) shown.set(row.dot_number ?? "", row);
  }
  const rows = [...shown.values()].slice(0, count);
  expect(rows).toHaveLength(count);
  return rows.map((row, index) => {
    const bodies: OptOutIn[] = [
      { usdot: row.dot_number ?? "" },
      { mc: row.docket_number ?? "" },
      { phone: row.phone ?? "" },
      { email: row.email ?? "" },
    ];
    return { usdot: row.dot_number ?? "", body: bodies[index % bodies.length] ?? {} };
  });
}

/** The businesses that are served: in any feed's pages or export, by the lookup, or as an event. */
async function servedOf(service: TestService, usdots: readonly string[]): Promise<string[]> {
  const { key } = await service.createAccount(EVERYTHING);
  const seen = new Set<string>();
  const read = async (path: string): Promise<string> => {
    const answer = await service.get(path, key);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.text();
  };
  for (const feed of FEED_CODES) {
    for (let page = 1, hasMore = true; hasMore; page++) {
      const { data, has_more } = JSON.parse(
        await read(`/v1/feeds/${feed}/records?page_size=1000&page=${page}`),
      );
      for (const row of data as Row[]) seen.add(row.dot_number ?? "");
      hasMore = has_more;
    }
    const csv = await read(`/v1/feeds/${feed}/export.csv`);
    for (const line of csv.split("\r\n")) for (const cell of line.split(",")) seen.add(cell);
    const lines = await read(`/v1/feeds/${feed}/export.ndjson`);
    for (const line of lines.split("\n").slice(0, -1)) seen.add((JSON.parse(line) as Row).dot_number ?? "");
    const parquet = await service.get(`/v1/feeds/${feed}/export.parquet`, key);
    for (const row of await parquetRecords(Buffer.from(await parquet.arrayBuffer()))) {
      seen.add(String(row.dot_number));
    }
  }
  const events = JSON.parse(await read("/v1/events?limit=1000&since=2026-01-01T00:00:00Z"));
  for (const { usdot } of events.data as Row[]) seen.add(usdot ?? "");
  for (const usdot of usdots) {
    if ((await service.get(`/v1/carriers/${usdot}`, key)).status === 200) seen.add(usdot);
  }
  return usdots.filter((usdot) => seen.has(usdot));
}
