import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { settableClock } from "../support/clock.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { type EventOut, followEvents } from "../support/events/event-follower.ts";
import { EVERYTHING, FEED_CODES } from "../support/feeds/served-feeds.ts";
import { type ImportDay, importInProcess } from "../support/processes/import-processes.ts";
import { generateDays } from "../support/registry/registry-days.ts";
import { startTestService, type TestService } from "../support/service.ts";

const WEST = ["AZ", "CA", "CO", "NV", "OR", "TX", "WA"];
/** Leaves the importer some time of a small machine. */
const POLL_EVERY_MS = 25;
const LIMITS = [1, 1, 2, 2, 3, 3, 5, 5, 8, 13, 21, 34, 55, 100, 999, 1000];
/** Two of three readers change the number of events from page to page. */
const limitOf = (reader: number, page: number): number =>
  LIMITS[(reader + page * (reader % 3)) % LIMITS.length] ?? 100;

let folder: string;
let database: TestDatabase;
let service: TestService;
let days: ImportDay[];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tdf-readers-"));
  days = await generateDays(folder, { seed: 5, count: 3 });
  database = await createTestDatabase();
  service = await startTestService({ databaseUrl: database.url, clock: settableClock(days[0]?.now ?? "") });
});

afterAll(async () => {
  await service.stop();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** GET with a key of a plan that has every feed in these states; null is every state. */
async function readerIn(states: string[] | null): Promise<(path: string) => Promise<Response>> {
  const feeds = Object.fromEntries(FEED_CODES.map((code) => [code, states]));
  const { key } = await service.createAccount({ ...EVERYTHING, feeds });
  return (path) => service.get(path, key);
}

/** Imports in another process; then the readers' clock moves to that day. Earlier they would find stale events. */
async function importOn(day: ImportDay): Promise<void> {
  await importInProcess(database.url, day);
  service.clock.set(day.now);
}

it("sixteen readers who follow the cursor while days are imported miss nothing and see nothing twice", async () => {
  const everywhere = await readerIn(null);
  const inWest = await readerIn(WEST);
  const [baseline, ...others] = days;
  if (baseline === undefined) throw new Error("no day was generated");
  await importOn(baseline);

  // Reads all events, disconnects, and comes back at the end.
  const leave = async (from: string | null) => {
    const leaver = followEvents({ get: everywhere, queryOf: () => "limit=1000", from });
    await leaver.catchUp();
    return { cursor: leaver.cursor(), seen: leaver.seen.length };
  };
  const left = [await leave(null)];
  expect(left[0]?.seen).toBe(0);

  const isIn = (states: readonly string[], { state }: EventOut) => states.includes(state ?? "");
  const kinds: { get: typeof inWest; query: string; sees: (event: EventOut) => boolean }[] = [
    { get: everywhere, query: "", sees: () => true },
    { get: inWest, query: "", sees: (event) => isIn(WEST, event) },
    {
      get: everywhere,
      query: "type=reinstated,revocation_pending&",
      sees: ({ type }) => type === "reinstated" || type === "revocation_pending",
    },
    { get: everywhere, query: "state=TX,CA,FL&", sees: (event) => isIn(["TX", "CA", "FL"], event) },
  ];
  const readers = LIMITS.map((_, index) => {
    const kind = kinds[index % 8] ?? kinds[0];
    if (kind === undefined) throw new Error("there is no kind of reader");
    const queryOf = (page: number) => `${kind.query}limit=${limitOf(index, page)}`;
    // A cursor is valid for its own account.
    const from = index < 8 && kind.get === everywhere ? (left[0]?.cursor ?? null) : null;
    return { ...followEvents({ get: kind.get, queryOf, from }), sees: kind.sees };
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
    for (const day of others) {
      await importOn(day);
      left.push(await leave(left.at(-1)?.cursor ?? null));
    }
  } finally {
    isImported = true;
    await reading;
  }
  expect((await reading).filter(({ status }) => status === "rejected")).toEqual([]);

  // The expected events: the table itself, read at once.
  const { rows } = await service.context.db.pool.query<{ id: number }>("SELECT id FROM event ORDER BY id");
  const ids = rows.map(({ id }) => id);
  const whole = followEvents({
    get: everywhere,
    queryOf: () => "limit=1000",
    from: left[0]?.cursor ?? null,
  });
  await whole.catchUp();
  expect(whole.seen.map(({ id }) => id)).toEqual(ids);
  expect(ids.length).toBeGreaterThan(50);

  for (const [index, { seen, sees, pageSizes, asOfs }] of readers.entries()) {
    expect(seen, `reader ${index}`).toEqual(whole.seen.filter(sees));
    expect(seen.length).toBeGreaterThan(5);
    expect(pageSizes.filter((size, page) => size > limitOf(index, page))).toEqual([]);
    expect(asOfs).toEqual([...asOfs].sort());
    expect(new Set(asOfs).size, "days on which it read").toBe(days.length);
  }

  let position = 0;
  for (const { cursor, seen } of left) {
    position += seen;
    const comeBack = followEvents({ get: everywhere, queryOf: () => "limit=7", from: cursor });
    await comeBack.catchUp();
    expect(comeBack.seen).toEqual(whole.seen.slice(position));
  }
}, 300_000);
