import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createRandom } from "@trucking-data-feed/registry-generator/random";
import { expect } from "vitest";
import { importFolder } from "../../../src/importer/import.ts";
import { listRuns } from "../../../src/importer/runs.ts";
import { settableClock } from "../../support/clock.ts";
import { createTestDatabase } from "../../support/database.ts";
import { type EventFollower, type EventOut, followEvents } from "../../support/events/event-follower.ts";
import {
  EVERYTHING,
  FEED_CODES,
  type FeedsReader,
  feedsReader,
  tablesWithoutVersion,
} from "../../support/feeds/served-feeds.ts";
import { type ImportDay, importInProcess, killImport } from "../../support/processes/import-processes.ts";
import { generateDays } from "../../support/registry/registry-days.ts";
import { startTestService, type TestService } from "../../support/service.ts";

export interface Killings {
  /** For the moments; the registry does not depend on it. */
  seed: number;
  /** Days that are imported after the first. */
  days: number;
  killsPerDay: number;
}

/**
 * Kills the importer again and again while readers poll, then lets each day finish, and compares everything seen with a
 * run of the same days without kills.
 */
export async function expectWholeThroughKills({
  seed,
  days: dayCount,
  killsPerDay,
}: Killings): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "tdf-killed-"));
  const database = await createTestDatabase();
  const clock = settableClock("2026-01-01T00:00:00Z");
  const service = await startTestService({ databaseUrl: database.url, clock });
  try {
    const days = await generateDays(folder, { seed: 7, count: 1 + dayCount });
    const expected = await undisturbedRun(days);
    expect(expected.events.length).toBeGreaterThan(20);
    expect(expected.changes.length).toBeGreaterThan(20);
    const [baseline, ...others] = days;
    if (baseline === undefined) throw new Error("no day was generated");
    clock.set(baseline.now);
    let importMs = await importInProcess(database.url, baseline);

    const readers = await startReaders(service, expected.states);
    for (const [number, day] of others.entries()) {
      const random = createRandom(seed, number, 0);
      for (let kill = 0; kill < killsPerDay; ) {
        // Each kill is in another part of the import, so that few of them cover all of it.
        const killAfterMs = ((kill + random.next()) / killsPerDay) * importMs;
        const ending = await killImport(database.url, day, () => delay(killAfterMs));
        if (ending.wasKilled) kill += 1;
        else importMs = Math.min(importMs, ending.tookMs);
      }
      importMs = await importInProcess(database.url, day);
      // Not before: the versions served until now would be stale.
      clock.set(day.now);
    }
    const seen = await readers.stop();

    expect(await identities(service)).toEqual(expected.identities);
    expect(await recordedChanges(service)).toEqual(expected.changes);
    expect(await servedBy(await feedsReader(service), await everyEvent(service))).toEqual(
      expected.states.at(-1),
    );
    const withoutId = ({ id: _, ...event }: EventOut) => event;
    expect(seen.map(withoutId)).toEqual(expected.events.map(withoutId));
    const ids = seen.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
    expect(await tablesWithoutVersion(service.context)).toEqual([]);
    expect((await listRuns(service.context, 1_000)).filter(({ status }) => status === "running")).toEqual([]);
  } finally {
    await service.stop();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Leaves the importer some time of a small machine. */
const POLL_EVERY_MS = 50;

/** The data served with the versions of one import, as hashes by `feedsReader`. */
interface Served {
  list: string;
  records: Map<string, string>;
  exports: Map<string, string>;
  /** The number of all events. */
  events: number;
}

async function servedBy(reader: FeedsReader, events: EventFollower): Promise<Served> {
  await events.catchUp();
  const served: Served = {
    list: await reader.list(),
    records: new Map(),
    exports: new Map(),
    events: events.seen.length,
  };
  for (const feed of FEED_CODES) {
    served.records.set(feed, await reader.records(feed));
    served.exports.set(feed, await reader.export(feed));
  }
  return served;
}

async function everyEvent(service: TestService): Promise<EventFollower> {
  const { key } = await service.createAccount(EVERYTHING);
  return followEvents({
    get: (path) => service.get(path, key),
    queryOf: () => "limit=20&since=2026-01-01T00:00:00Z",
  });
}

/** The data served after each day, and all events at the end, if no import is killed. */
async function undisturbedRun(days: readonly ImportDay[]) {
  const service = await startTestService();
  try {
    const reader = await feedsReader(service);
    const follower = await everyEvent(service);
    const states: Served[] = [];
    for (const { dir, now } of days) {
      service.clock.set(now);
      await importFolder(service.context, { dir, asOf: null, accept: new Set() });
      states.push(await servedBy(reader, follower));
    }
    const changes = await recordedChanges(service);
    return { states, events: follower.seen, identities: await identities(service), changes };
  } finally {
    await service.stop();
  }
}

/** Readers of records, exports and events, who poll until they are stopped; returns the events that one of them saw. */
async function startReaders(
  service: TestService,
  states: readonly Served[],
): Promise<{ stop(): Promise<EventOut[]> }> {
  const reader = await feedsReader(service);
  const follower = await everyEvent(service);
  const watchers = FEED_CODES.map((code) => ({
    code,
    watchRecords: watch(`a reader of ${code}`, states, ({ records }) => records.get(code)),
    watchExport: watch(`an export of ${code}`, states, ({ exports }) => exports.get(code)),
  }));
  const watchList = watch("the list of feeds", states, ({ list }) => list);
  const watchEvents = watch("the follower of events", states, ({ events }) => events);
  let isOver = false;
  const polling = async (poll: () => Promise<void>) => {
    while (!isOver) {
      await poll();
      await delay(POLL_EVERY_MS);
    }
    await poll();
  };
  const reading = Promise.allSettled([
    polling(async () => {
      for (const { code, watchRecords } of watchers) watchRecords(await reader.records(code));
    }),
    polling(async () => {
      watchList(await reader.list());
      for (const { code, watchExport } of watchers) watchExport(await reader.export(code));
    }),
    polling(async () => {
      await follower.catchUp();
      watchEvents(follower.seen.length);
    }),
  ]);
  return {
    stop: async () => {
      isOver = true;
      expect((await reading).filter(({ status }) => status === "rejected")).toEqual([]);
      return follower.seen;
    },
  };
}

/** Checks that a reader sees the data of one import after the other, and never an earlier one again. */
function watch<Seen>(
  name: string,
  states: readonly Served[],
  partOf: (served: Served) => Seen | undefined,
): (seen: Seen) => void {
  const wholes = states.map(partOf);
  let newest = 0;
  return (seen) => {
    const at = wholes.indexOf(seen, newest);
    if (at < 0) throw new Error(`${name} saw ${seen}, after ${wholes[newest]} of ${wholes.join("; ")}`);
    newest = at;
  };
}

async function identities({ context }: TestService): Promise<string[]> {
  const { rows } = await context.db.pool.query<{ identity: string }>(
    "SELECT identity FROM event ORDER BY identity",
  );
  return rows.map(({ identity }) => identity);
}

/** Every recorded change, without the numbers that killed imports use up. */
async function recordedChanges({ context }: TestService): Promise<object[]> {
  const { rows } = await context.db.pool.query<object>(
    `SELECT usdot, docket, item, field, old_value, new_value, registry_on, as_of, seen_at, source
     FROM visible_carrier_change ORDER BY seen_at, usdot, source, docket, item, field, old_value, new_value`,
  );
  return rows;
}
