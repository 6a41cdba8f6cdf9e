import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createRandom } from "@trucking-data-feed/registry-generator/random";
import { expect } from "vitest";
import { openSession } from "../../../src/accounts/sessions/sessions.ts";
import { signInLink } from "../../../src/accounts/sessions/sign-in-links.ts";
import { generateRegistry } from "../../../src/cli/registry/made-up-registry.ts";
import { updateNames } from "../../../src/feeds/names/names.ts";
import { importFolder } from "../../../src/importer/import.ts";
import { settableClock } from "../../support/clock.ts";
import { createTestDatabase } from "../../support/database.ts";
import { putCorrections, putEvents } from "../../support/events/events.ts";
import { EVERYTHING } from "../../support/feeds/served-feeds.ts";
import { startServiceProcesses } from "../../support/processes/service-processes.ts";
import { removeBusinesses, undoRemovals } from "../../support/removals/removals.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { type Business, findBusinesses } from "./businesses.ts";
import { answered } from "./patient-requests.ts";
import { isShownAgain, removeWhilePolled, rowsOfRemoved, whoIsSeen } from "./readers.ts";
import { type Reader, readingPaths } from "./reading-paths.ts";
import { chooseFrom, companiesAmong, connected, delivered, NOW, putChanges } from "./story-businesses.ts";
import { deliveredChange } from "./watched-paths.ts";

export interface Removing {
  /** Chooses the businesses that are removed. */
  seed: number;
  carriers: number;
  /** Businesses that are removed while readers poll, one after the other. */
  polled: number;
  /** Other businesses that are removed. */
  others: number;
}

/**
 * Removes businesses while readers of two processes poll in every way. One process reads rows from files, the other one,
 * which can't have any, from the database. No request that begins after the removal shows one, neither then nor after the
 * next import nor on a process that starts later. After an undo they are shown again. Returns how long after a removal a
 * reader still had a business in an answer.
 */
export async function expectGoneEverywhere({ seed, carriers, polled, others }: Removing): Promise<number> {
  const folder = await mkdtemp(path.join(tmpdir(), "tdf-removed-"));
  const database = await createTestDatabase();
  const service = await startTestService({ databaseUrl: database.url, clock: settableClock(NOW) });
  const opened = [service.stop, database.drop, () => rm(folder, { recursive: true, force: true })];
  try {
    const [first, second, third] = await generateRegistry({
      outDir: folder,
      carriers,
      seed: 7,
      firstDay: "2026-11-18",
      days: 3,
    });
    const importDay = (day: { dir: string } | undefined) =>
      importFolder(service.context, { dir: day?.dir ?? "", asOf: null, accept: new Set() });
    await importDay(first);
    await importDay(second);
    await updateNames(service.context);
    const processes = await startServiceProcesses(2, database.url, NOW, { withoutFiles: 1 });
    opened.unshift(processes.stop);
    const { accountId, key } = await service.createAccount({ ...EVERYTHING, concurrentExports: 20 });
    const keys = [key, (await service.createKey(accountId)).key] as const;
    const look = await dashboardReader(service, accountId);
    const everybody = shuffled(await findBusinesses(service.context), seed);
    const companies = await companiesAmong(service, everybody);
    const found = await connected(service, chooseFrom(everybody, companies, polled), companies);
    // After an event of another business, at which cursors begin.
    const events = found.map(({ usdot, state }) => ({ usdot, state, detectedAt: NOW }));
    const ids = await putEvents(service.context.db, [{ usdot: 0, detectedAt: NOW }, ...events]);
    const chosen: Business[] = [];
    for (const [index, business] of found.entries()) {
      const id = ids[index + 1] ?? 0;
      chosen.push({ ...business, event: { id, ...(await delivered(service, accountId, business, id)) } });
    }
    await putChanges(service, chosen);
    for (const business of chosen) {
      const endpointId = business.event?.endpointId ?? 0;
      business.change = await deliveredChange(service.context, endpointId, business.usdot);
      const other = found.find(({ usdot }) => usdot === business.usdot)?.connectedWith;
      if (other !== undefined) {
        const change = await deliveredChange(service.context, endpointId, other);
        business.connected = { usdot: other, change };
      }
    }
    await putCorrections(
      service.context.db,
      chosen.flatMap(({ event }) => (event ? [event.id] : [])),
      { at: NOW },
    );
    const { context } = service;

    const cacheless = processes.urls[1];
    const readerOf = (url: string): Reader => ({
      url,
      hasExports: url !== cacheless,
      keys,
      context,
      look,
      accountId,
    });

    let lastSeenMs = 0;
    for (const business of chosen) {
      const paths = await Promise.all(processes.urls.map((url) => readingPaths(readerOf(url), business)));
      lastSeenMs = Math.max(lastSeenMs, await removeWhilePolled(service, business, paths.flat()));
    }
    const { db } = context;
    await removeBusinesses(db, shuffled(await everyone(service), seed).slice(0, others));

    await importDay(third);
    const later = await startServiceProcesses(1, database.url, NOW);
    opened.unshift(later.stop);
    const urls = [...processes.urls, ...later.urls];
    const seen = async () => (await Promise.all(urls.map((url) => whoIsSeen(readerOf(url), chosen)))).flat();
    expect(await seen()).toEqual([]);
    expect(await rowsOfRemoved(service, { key, urls: urls.filter((url) => url !== cacheless) })).toEqual([]);

    await undoRemovals(db);
    await importDay(third);
    for (const url of urls) {
      for (const business of chosen) expect(await isShownAgain(readerOf(url), business)).toBe(true);
    }
    return lastSeenMs;
  } finally {
    for (const close of opened) await close();
  }
}

/** Signs in to the dashboard of the account. */
async function dashboardReader({ context }: TestService, accountId: number): Promise<Reader["look"]> {
  const link = await signInLink(context, accountId);
  const token = await openSession(context, link.slice(link.lastIndexOf("/") + 1));
  return async (address) => {
    for (;;) {
      const answer = await answered(address, { headers: { Cookie: `tdf_session=${token}` } });
      if (answer.status !== 429) return answer;
      await context.db.pool.query("DELETE FROM preview_day");
    }
  };
}

const everyone = async ({ context }: TestService): Promise<number[]> =>
  (
    await context.db.pool.query<{ usdot: number }>("SELECT DISTINCT usdot FROM authority ORDER BY usdot")
  ).rows.map(({ usdot }) => usdot);

function shuffled<T>(list: readonly T[], seed: number): T[] {
  const random = createRandom(seed, 0, 0);
  return list
    .map((item) => ({ item, order: random.next() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}
