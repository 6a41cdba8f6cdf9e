import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { components } from "../../src/generated/types.ts";
import { settableClock } from "../support/clock.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { followEvents } from "../support/events/event-follower.ts";
import { EVERYTHING, FEED_CODES } from "../support/feeds/served-feeds.ts";
import { type ImportDay, importInProcess } from "../support/processes/import-processes.ts";
import { generateDays } from "../support/registry/registry-days.ts";
import { startTestService, type TestService } from "../support/service.ts";

type Watchlist = components["schemas"]["WatchlistOut"];

const READERS = 16;
const TEXAS = ["TX"];
/** Leaves the importer some time of a small machine. */
const POLL_EVERY_MS = 25;

let folder: string;
let database: TestDatabase;
let service: TestService;
let days: ImportDay[];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tdf-changes-"));
  days = await generateDays(folder, { seed: 7, count: 4 });
  database = await createTestDatabase();
  service = await startTestService({ databaseUrl: database.url, clock: settableClock(days[0]?.now ?? "") });
});

afterAll(async () => {
  await service.stop();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

async function importOn(day: ImportDay): Promise<void> {
  await importInProcess(database.url, day);
  service.clock.set(day.now);
}

/** An account in these states (null: all) with a list for each set of companies. */
async function watcher(states: string[] | null, lists: readonly (readonly number[])[]) {
  const feeds = Object.fromEntries(FEED_CODES.map((code) => [code, states]));
  const { key } = await service.createAccount({ ...EVERYTHING, feeds, watchedCarriers: 100_000 });
  const ids: number[] = [];
  for (const usdots of lists) {
    const made = await service.send("POST", "/v1/watchlists", { key, body: { name: "Watched" } });
    const { id } = (await made.json()) as Watchlist;
    const body = { usdots: usdots.map(String) };
    expect((await service.send("POST", `/v1/watchlists/${id}/carriers`, { key, body })).status).toBe(200);
    ids.push(id);
  }
  return { get: (address: string) => service.get(address, key), ids };
}

it("sixteen readers of watched carriers' changes and events, while days are imported, skip and repeat none", async () => {
  const [baseline, ...others] = days;
  if (baseline === undefined) throw new Error("no day was generated");
  await importOn(baseline);
  const { pool } = service.context.db;
  const { rows } = await pool.query<{ usdot: number }>("SELECT DISTINCT usdot FROM authority");
  const all = rows.map(({ usdot }) => usdot);
  const [even, third] = [2, 3].map((each) => all.filter((usdot) => usdot % each === 0)) as [
    number[],
    number[],
  ];
  const everywhere = await watcher(null, [even, third]);
  const texan = await watcher(TEXAS, [even]);

  const changes = "/v1/carrier-changes";
  const few = even.slice(0, 40);
  const kinds = [
    { ...everywhere, path: changes, query: "", of: new Set([...even, ...third]) },
    { ...everywhere, path: changes, query: `watchlist=${everywhere.ids[0]}&`, of: new Set(even) },
    { ...everywhere, path: changes, query: `watchlist=${everywhere.ids[1]}&`, of: new Set(third) },
    { ...everywhere, path: changes, query: `usdot=${few}&category=fleet,census&`, of: new Set(few) },
    { ...texan, path: changes, query: "", of: new Set(even) },
    { ...everywhere, path: "/v1/events", query: `watchlist=${everywhere.ids[1]}&`, of: new Set(third) },
    { ...texan, path: "/v1/events", query: `watchlist=${texan.ids[0]}&`, of: new Set(even) },
    { ...everywhere, path: changes, query: "category=contact,insurance&", of: new Set([...even, ...third]) },
  ];
  const readers = Array.from({ length: READERS }, (_, index) => {
    const kind = kinds[index % kinds.length] as (typeof kinds)[number];
    const limit = 1 + (index % 5) * 17;
    const queryOf = (page: number) => `${kind.query}limit=${page % 3 === 0 ? limit : 100}`;
    return { ...followEvents<{ id: number }>({ ...kind, queryOf }), kind };
  });
  let isImported = false;
  const reading = Promise.allSettled(
    readers.map(async (reader) => {
      while (!isImported) {
        await reader.catchUp();
        await delay(POLL_EVERY_MS);
      }
      await reader.catchUp();
    }),
  );
  try {
    for (const day of others) await importOn(day);
  } finally {
    isImported = true;
    await reading;
  }
  expect((await reading).filter(({ status }) => status === "rejected")).toEqual([]);

  // The tables themselves, read at once.
  const seen = async (text: string) => (await pool.query<Row>(text)).rows;
  const recorded = await seen(
    `SELECT id, usdot, category, filed_state(usdot) AS state FROM visible_carrier_change ORDER BY id`,
  );
  const detected = await seen("SELECT id, usdot, type AS category, state FROM visible_event ORDER BY id");
  for (const [index, { seen: read, kind }] of readers.entries()) {
    const categories = new URLSearchParams(kind.query).get("category")?.split(",");
    const expected = (kind.path === changes ? recorded : detected).filter(
      ({ usdot, category, state }) =>
        kind.of.has(usdot) &&
        (kind.get !== texan.get || TEXAS.includes(state ?? "")) &&
        (categories?.includes(category) ?? true),
    );
    expect(
      read.map(({ id }) => id),
      `reader ${index}`,
    ).toEqual(expected.map(({ id }) => id));
    expect(read.length, `reader ${index}`).toBeGreaterThan(0);
  }
}, 300_000);

interface Row {
  id: number;
  usdot: number;
  category: string;
  state: string | null;
}
