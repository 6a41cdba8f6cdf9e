import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createRandom } from "@trucking-data-feed/registry-generator/random";
import { expect } from "vitest";
import { openSession } from "../../src/accounts/sessions/sessions.ts";
import { signInLink } from "../../src/accounts/sessions/sign-in-links.ts";
import { updateSharedValues } from "../../src/carriers/connections/shared-values.ts";
import { generateRegistry } from "../../src/cli/registry/made-up-registry.ts";
import { updateNames } from "../../src/feeds/names/names.ts";
import { importFolder } from "../../src/importer/import.ts";
import { settableClock } from "../support/clock.ts";
import { createTestDatabase } from "../support/database.ts";
import { putCorrections, putEvents } from "../support/events/events.ts";
import { EVERYTHING } from "../support/feeds/served-feeds.ts";
import { startServiceProcesses } from "../support/processes/service-processes.ts";
import { removeBusinesses, undoRemovals } from "../support/removals/removals.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { putDelivery, putResult } from "../support/webhooks/deliveries.ts";
import { registerEndpoint } from "../support/webhooks/endpoints.ts";
import { putConnections, STORY_CHANGES } from "./connected-paths.ts";
import { answered } from "./patient-requests.ts";
import {
  type Business,
  findBusinesses,
  type Reader,
  type ReadingPath,
  readingPaths,
} from "./reading-paths.ts";
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

const NOW = "2026-11-20T18:00:00Z";

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

/** Registers an endpoint for one business, with a delivery of its event that was accepted. */
async function delivered(
  { context }: TestService,
  accountId: number,
  { usdot }: Business,
  eventId: number,
): Promise<{ endpointId: number; deliveryId: number }> {
  const { id: endpointId } = await registerEndpoint(context, accountId, {
    filters: { usdots: [String(usdot)] },
  });
  // Events that come later are not sent: the service does not deliver to this machine.
  await context.db.pool.query("UPDATE webhook_endpoint SET url = 'https://127.0.0.1:9' WHERE id = $1", [
    endpointId,
  ]);
  const deliveryId = await putDelivery(context, { endpointId, eventId });
  // Before a replay begins, which sends it again.
  const endedAt = new Date(Date.parse(NOW) - 60_000);
  await putResult(context, deliveryId, { outcome: "delivered", endedAt });
  return { endpointId, deliveryId };
}

/** The businesses that are no person: only these have connections. */
async function companiesAmong(
  { context }: TestService,
  businesses: readonly Business[],
): Promise<readonly number[]> {
  const { rows } = await context.db.pool.query<{ usdot: number }>(
    "SELECT usdot FROM census WHERE NOT is_individual AND usdot = ANY ($1::int[])",
    [businesses.map(({ usdot }) => usdot)],
  );
  return rows.map(({ usdot }) => usdot);
}

/** Has another business name each one that is no person as its predecessor. */
async function connected(
  { context }: TestService,
  businesses: readonly Business[],
  companies: readonly number[],
): Promise<(Business & { connectedWith?: number | undefined })[]> {
  const { pool } = context.db;
  const others = companies.filter((usdot) => businesses.every((business) => business.usdot !== usdot));
  const found: (Business & { connectedWith?: number | undefined })[] = businesses.map((business) =>
    companies.includes(business.usdot) ? { ...business, connectedWith: others.pop() } : business,
  );
  const pairs = found.flatMap(({ usdot, connectedWith }) =>
    connectedWith === undefined ? [] : [{ usdot, other: connectedWith }],
  );
  for (const { usdot, other } of pairs)
    await pool.query("UPDATE census SET prior_usdot = $1 WHERE usdot = $2", [usdot, other]);
  await pool.query("DELETE FROM shared_value_index");
  await updateSharedValues(context);
  await putConnections(context, pairs, NOW);
  return found;
}

/** Records a change of each business. */
async function putChanges({ context }: TestService, businesses: readonly Business[]): Promise<void> {
  await context.db.pool.query(
    `INSERT INTO carrier_change (id, usdot, category, field, old_value, new_value, as_of, seen_at, source)
     SELECT $3::int + index, usdot, 'fleet', 'power_units', '1', '2', $2::date, $2, 'census'
     FROM unnest($1::int[]) WITH ORDINALITY AS business (usdot, index)`,
    [businesses.map(({ usdot }) => usdot), new Date(NOW), STORY_CHANGES],
  );
}

/**
 * Some businesses: the first of them is read in every way, since it is a company with a docket, is in the version before
 * too, and changed since.
 */
function chooseFrom(
  businesses: readonly Business[],
  companies: readonly number[],
  count: number,
): Business[] {
  const whole = businesses.find(
    ({ usdot, docket, replaced, changedSince }) =>
      companies.includes(usdot) && docket !== null && replaced !== null && changedSince !== null,
  );
  if (whole === undefined) throw new Error("no company of both versions changed between them");
  return [whole, ...businesses.filter((business) => business !== whole)].slice(0, count);
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

const POLL_EVERY_MS = 10;

/** Polls every path, removes the business meanwhile, and polls on. Returns how long after that one path had it. */
async function removeWhilePolled(
  { context }: TestService,
  { usdot }: Business,
  paths: readonly ReadingPath[],
): Promise<number> {
  let isBeingRemoved = false;
  let isOver = false;
  let removedAtMs = Number.POSITIVE_INFINITY;
  let lastSeenAtMs = 0;
  const shown = new Set<ReadingPath>();
  const { promise: everyPathShows, resolve: goOn } = Promise.withResolvers<void>();
  const poll = async (one: ReadingPath): Promise<void> => {
    for (let isAfter = false; !isAfter && !isOver; await delay(POLL_EVERY_MS)) {
      isAfter = performance.now() > removedAtMs;
      const isSeen = await one.sees();
      // In between both answers are right.
      if (isSeen && isAfter) throw new Error(`${one.name}: ${usdot} is still there.`);
      if (!isSeen && !isBeingRemoved) throw new Error(`${one.name}: ${usdot} is not there.`);
      if (isSeen) lastSeenAtMs = performance.now();
      // A way that shows it at once waits for those that take longer, and does not slow them down.
      if (shown.add(one).size === paths.length) goOn();
      await everyPathShows;
    }
  };
  const polls = paths.map(poll);
  try {
    const polling = Promise.all(polls);
    await Promise.race([everyPathShows, polling]);
    // Meanwhile every reader asks again, so that the removal meets requests of all ways.
    await delay(2 * POLL_EVERY_MS);
    isBeingRemoved = true;
    await removeBusinesses(context.db, [usdot]);
    removedAtMs = performance.now();
    await polling;
  } finally {
    // After a failure no other reader goes on: it would slow down every test that follows.
    isOver = true;
    goOn();
    await Promise.allSettled(polls);
  }
  return Math.max(0, lastSeenAtMs - removedAtMs);
}

/** The businesses that each way of reading shows. */
async function whoIsSeen(reader: Reader, businesses: readonly Business[]): Promise<string[]> {
  const seen: string[] = [];
  for (const business of businesses) {
    for (const { name, sees } of await readingPaths(reader, business)) {
      if (await sees()) seen.push(`${name} ${business.usdot}`);
    }
  }
  return seen;
}

/** One of the ways is enough: what they have in common is that the business is not on the list any more. */
async function isShownAgain(reader: Reader, business: Business): Promise<boolean> {
  const paths = await readingPaths(reader, business);
  const events = paths.find(({ name }) => name === `${reader.url} events by since`);
  return (await events?.sees()) === true;
}

const everyone = async ({ context }: TestService): Promise<number[]> =>
  (
    await context.db.pool.query<{ usdot: number }>("SELECT DISTINCT usdot FROM authority ORDER BY usdot")
  ).rows.map(({ usdot }) => usdot);

/** Rows of removed businesses in whole exports. */
async function rowsOfRemoved(
  { context }: TestService,
  { key, urls }: { key: string; urls: readonly string[] },
): Promise<string[]> {
  const { rows } = await context.db.pool.query<{ usdot: number }>("SELECT usdot FROM suppressed_business");
  const removed = new Set(rows.map(({ usdot }) => String(usdot)));
  const shown: string[] = [];
  let read = 0;
  for (const url of urls) {
    for (const feed of Object.keys(EVERYTHING.feeds)) {
      const answer = await fetch(`${url}/v1/feeds/${feed}/export.csv`, { headers: { "X-API-Key": key } });
      const lines = (await answer.text()).split("\r\n").slice(1, -1);
      read += lines.length;
      shown.push(
        ...lines.filter((line) =>
          /,(\d+),[A-Z]{2}\d+,/
            .exec(line)
            ?.slice(1)
            .some((dot) => removed.has(dot)),
        ),
      );
    }
  }
  expect(read).toBeGreaterThan(100);
  return shown;
}

function shuffled<T>(list: readonly T[], seed: number): T[] {
  const random = createRandom(seed, 0, 0);
  return list
    .map((item) => ({ item, order: random.next() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}
