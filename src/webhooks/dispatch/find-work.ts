import type { Context } from "../../platform/context.ts";
import type { Lane } from "./queue.ts";
import type { EndpointQueue, Queued } from "./queued.ts";
import * as sql from "./statements.ts";

/** New deliveries per look, endpoints per reading, and deliveries per endpoint and reading. */
const LOOKED_AT = 20_000;
const ENDPOINTS_AT_ONCE = 100;
const LEAST_EACH = 40;
const MOST_EACH = 200;
const DELIVERIES_AT_ONCE = 2_000;
/**
 * After so many deliveries in a row without a result, the owner before has started none of the next: an endpoint has
 * fewer in flight.
 */
const SURELY_NEW = 20;

/** Finds deliveries to be sent. */
export interface Finder {
  /** Notes which endpoints have new deliveries or due retries. Returns accounts with such that no lane has. */
  look(): Promise<Set<number>>;
  /** Fills up the queues of a lane. Returns how many deliveries it added. */
  fill(lane: Lane): Promise<number>;
}

/** A finder that sees every delivery that is queued after this. Endpoints added to the lanes later look for older ones. */
export async function createFinder(context: Context, lanes: readonly Lane[]): Promise<Finder> {
  const { db, clock } = context;
  const { rows: newest } = await sql.newestDelivery.run(db.pool);
  let seenTo = newest[0]?.id ?? 0;

  const lookForFresh = async (unknown: Set<number>) => {
    for (let seen = LOOKED_AT; seen === LOOKED_AT; ) {
      const { rows } = await sql.findFresh.prepared(db.pool, { afterId: seenTo, most: LOOKED_AT });
      seen = 0;
      for (const { endpointId, accountId, lastId, deliveries } of rows) {
        seenTo = Math.max(seenTo, lastId);
        seen += deliveries;
        for (const lane of lanes) {
          if (!lane.limits.isTest && !lane.noteWork(endpointId, accountId, "fresh")) unknown.add(accountId);
        }
      }
    }
  };
  const lookForDue = async (lane: Lane, unknown: Set<number>) => {
    const { rows } = await sql.findDue.prepared(db.pool, { now: clock.now(), isTest: lane.limits.isTest });
    for (const { endpointId, accountId } of rows) {
      if (!lane.noteWork(endpointId, accountId, "due")) unknown.add(accountId);
    }
  };
  return {
    async look() {
      const unknown = new Set<number>();
      await lookForFresh(unknown);
      for (const lane of lanes) await lookForDue(lane, unknown);
      return unknown;
    },
    async fill(lane) {
      const endpoints = lane.hungry(ENDPOINTS_AT_ONCE);
      if (endpoints.length === 0) return 0;
      const found = new Map<EndpointQueue, Queued[]>(endpoints.map((endpoint) => [endpoint, []]));
      await readFresh(context, found);
      await readDue(context, lane, found);
      for (const [endpoint, queued] of found) lane.fill(endpoint, queued);
      return [...found.values()].reduce((sum, { length }) => sum + length, 0);
    },
  };
}

const deliveriesEach = (endpoints: number): number =>
  Math.min(MOST_EACH, Math.max(LEAST_EACH, Math.floor(DELIVERIES_AT_ONCE / endpoints)));

async function readFresh({ db }: Context, found: Map<EndpointQueue, Queued[]>): Promise<void> {
  const asked = [...found.keys()].filter(({ mayHaveFresh }) => mayHaveFresh);
  if (asked.length === 0) return;
  const positions = asked.map(({ readTo }) => readTo);
  const most = deliveriesEach(asked.length);
  const { rows } = await sql.readFresh.prepared(db.pool, {
    endpointIds: asked.map(({ id }) => id),
    afterIds: positions,
    areChecked: asked.map(({ isCatchingUp }) => isCatchingUp),
    most,
  });
  const byEndpoint = Map.groupBy(rows, ({ endpointId }) => endpointId);
  for (const [index, endpoint] of asked.entries()) {
    const read = byEndpoint.get(endpoint.id) ?? [];
    // A cancellation moved the position meanwhile: read again from there.
    if (endpoint.readTo !== positions[index]) continue;
    endpoint.mayHaveFresh = read.length === most;
    endpoint.readTo = read.at(-1)?.id ?? endpoint.readTo;
    for (const row of read) {
      endpoint.undoneInARow = row.isDone ? 0 : endpoint.undoneInARow + 1;
      if (row.isDone) continue;
      // At once with the new position: progress is saved at any moment.
      endpoint.unfinished.add(row.id);
      found.get(endpoint)?.push(freshOf(endpoint, row));
    }
    if (endpoint.undoneInARow >= SURELY_NEW || !endpoint.mayHaveFresh) endpoint.isCatchingUp = false;
  }
}

const freshOf = (endpoint: EndpointQueue, row: sql.ReadFreshRow): Queued => ({
  id: row.id,
  endpoint,
  eventId: row.eventId as number,
  eventType: row.eventType,
  isTest: false,
  createdAt: row.createdAt,
  dueAt: row.createdAt,
  attempt: 1,
  failures: 0,
  isRetry: false,
});

async function readDue(
  { db, clock }: Context,
  { limits: { isTest } }: Lane,
  found: Map<EndpointQueue, Queued[]>,
): Promise<void> {
  const asked = [...found.keys()].filter(({ mayHaveDue }) => mayHaveDue);
  if (asked.length === 0) return;
  // Also those that are recorded while this reads: it may still see them as they were.
  const here = asked.map(({ retrying }) => new Set(retrying));
  const skipped = here.map(({ size }) => size);
  const most = deliveriesEach(asked.length);
  const { rows } = await sql.readDue.prepared(db.pool, {
    endpointIds: asked.map(({ id }) => id),
    skipped,
    isTest,
    now: clock.now(),
    most,
  });
  const byEndpoint = Map.groupBy(rows, ({ endpointId }) => endpointId);
  for (const [index, endpoint] of asked.entries()) {
    const read = byEndpoint.get(endpoint.id) ?? [];
    endpoint.mayHaveDue = read.length === most + (skipped[index] ?? 0);
    for (const { testNumber, eventId, ...row } of read) {
      if (here[index]?.has(row.id)) continue;
      const number = (eventId ?? testNumber) as number;
      found.get(endpoint)?.push({ ...row, endpoint, eventId: number, isTest, isRetry: true });
    }
  }
}
