import * as sql from "../../generated/sql/webhooks/dispatch.ts";
import type { Context } from "../../platform/context.ts";
import type { Leases } from "./leases.ts";
import type { Bell } from "./loop.ts";
import type { SendQueue } from "./queue.ts";
import type { EndpointQueue, Queued } from "./queued.ts";
import type { Queues } from "./queues.ts";

/** Often enough that a short queue never runs dry, rarely enough that one reading serves many endpoints. */
const FILL_MS = 10;
/** New deliveries per look, endpoints per reading, and deliveries per endpoint and reading. */
const LOOKED_AT = 20_000;
const ENDPOINTS_AT_ONCE = 100;
const LEAST_EACH = 40;
const MOST_EACH = 200;
const DELIVERIES_AT_ONCE = 2_000;
/**
 * After so many deliveries in a row without a result, the dispatcher before has started none of the next: an endpoint has
 * fewer in flight.
 */
const SURELY_NEW = 20;

interface FinderParts {
  queues: Queues;
  leases: Leases;
  bells: Record<"find" | "send", Bell>;
  pollMs: number;
}

/** A finder for every delivery that is queued after this. For older ones it reads each endpoint that is leased later. */
export async function createFinder(context: Context, parts: FinderParts): Promise<Finder> {
  const newest = await sql.newestDelivery(context.db.pool);
  return new Finder(context, parts, newest.id);
}

/** Finds deliveries to be sent, and fills the queues with them. */
class Finder {
  readonly #context: Context;
  readonly #parts: FinderParts;
  /** Deliveries up to this id were looked at. */
  #seenTo: number;
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  #mustLook = true;

  constructor(context: Context, parts: FinderParts, seenTo: number) {
    this.#context = context;
    this.#parts = parts;
    this.#seenTo = seenTo;
  }

  /** Looks for new deliveries now. */
  lookNow(): void {
    this.#mustLook = true;
    this.#parts.bells.find.ring();
  }

  /** Looks for work from time to time, and fills the queues that have capacity. Returns how long to wait. */
  async step(): Promise<number> {
    const { queues, leases, bells, pollMs } = this.#parts;
    if (this.#mustLook || performance.now() - this.#lookedAtMs >= pollMs) {
      this.#mustLook = false;
      leases.ask(await this.#look());
      this.#lookedAtMs = performance.now();
    }
    let found = 0;
    for (const queue of queues.all) found += await fill(this.#context, queue);
    if (found > 0) bells.send.ring();
    return queues.haveCapacity() ? FILL_MS : pollMs;
  }

  /** Marks the endpoints that have new deliveries or due retries. Returns the accounts of others, which are not leased. */
  async #look(): Promise<Set<number>> {
    const notLeased = new Set<number>();
    await this.#lookForFresh(notLeased);
    for (const queue of this.#parts.queues.all) await this.#lookForDue(queue, notLeased);
    return notLeased;
  }

  async #lookForFresh(notLeased: Set<number>): Promise<void> {
    const { events } = this.#parts.queues;
    for (let seen = LOOKED_AT; seen === LOOKED_AT; ) {
      const rows = await sql.findFresh(this.#context.db.pool, { afterId: this.#seenTo, most: LOOKED_AT });
      seen = 0;
      for (const { endpointId, accountId, lastId, deliveries } of rows) {
        this.#seenTo = Math.max(this.#seenTo, lastId);
        seen += deliveries;
        if (!events.markWork(endpointId, accountId, { freshTo: lastId })) notLeased.add(accountId);
      }
    }
  }

  async #lookForDue(queue: SendQueue, notLeased: Set<number>): Promise<void> {
    const { db, clock } = this.#context;
    const rows = await sql.findDue(db.pool, { now: clock.now(), isTest: queue.limits.isTest });
    for (const { endpointId, accountId } of rows) {
      if (!queue.markWork(endpointId, accountId, { freshTo: null })) notLeased.add(accountId);
    }
  }
}

/** Reads deliveries of the endpoints that have capacity into a queue. Returns how many. */
export async function fill(context: Context, queue: SendQueue): Promise<number> {
  const endpoints = queue.withCapacity(ENDPOINTS_AT_ONCE);
  if (endpoints.length === 0) return 0;
  // Both are read before either is taken: after a reading that failed, the next one reads the same.
  const takeFresh = await readFresh(context, endpoints);
  const takeDue = await readDue(context, queue, endpoints);
  let found = 0;
  for (const endpoint of endpoints) {
    const queued = [...takeFresh(endpoint), ...takeDue(endpoint)];
    queue.fill(endpoint, queued);
    found += queued.length;
  }
  return found;
}

/** Gives what was read of an endpoint, and moves the endpoint's position behind it. */
type Take = (endpoint: EndpointQueue) => Queued[];

const deliveriesEach = (endpoints: number): number =>
  Math.min(MOST_EACH, Math.max(LEAST_EACH, Math.floor(DELIVERIES_AT_ONCE / endpoints)));

async function readFresh({ db }: Context, endpoints: readonly EndpointQueue[]): Promise<Take> {
  const asked = endpoints.filter(({ mayHaveFresh }) => mayHaveFresh);
  if (asked.length === 0) return () => [];
  const positions = new Map(asked.map((endpoint) => [endpoint, endpoint.readTo]));
  const most = deliveriesEach(asked.length);
  const rows = await sql.readFresh(db.pool, {
    endpointIds: asked.map(({ id }) => id),
    afterIds: [...positions.values()],
    areChecked: asked.map(({ isCatchingUp }) => isCatchingUp),
    most,
  });
  const byEndpoint = Map.groupBy(rows, ({ endpointId }) => endpointId);
  return (endpoint) => {
    // It was not asked, or a cancellation has moved the position meanwhile: the next step reads from there.
    if (positions.get(endpoint) !== endpoint.readTo) return [];
    return newOf(endpoint, byEndpoint.get(endpoint.id) ?? [], most);
  };
}

/** Moves the position of an endpoint behind deliveries that were read. Returns those that have no result. */
function newOf(endpoint: EndpointQueue, read: readonly sql.ReadFreshRow[], most: number): Queued[] {
  endpoint.mayHaveFresh = read.length === most;
  endpoint.readTo = read.at(-1)?.id ?? endpoint.readTo;
  for (const { isDone } of read) endpoint.undoneInARow = isDone ? 0 : endpoint.undoneInARow + 1;
  if (endpoint.undoneInARow >= SURELY_NEW || !endpoint.mayHaveFresh) endpoint.isCatchingUp = false;
  const undone = read.filter(({ isDone }) => !isDone);
  // Together with the new position, as progress may be saved at any moment.
  for (const { id } of undone) endpoint.unfinished.add(id);
  return undone.map((row) => freshOf(endpoint, row));
}

const freshOf = (endpoint: EndpointQueue, row: sql.ReadFreshRow): Queued => ({
  id: row.id,
  endpoint,
  eventId: row.eventId,
  correctionId: row.correctionId,
  changeId: row.changeId,
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
  { limits: { isTest } }: SendQueue,
  endpoints: readonly EndpointQueue[],
): Promise<Take> {
  const asked = endpoints.filter(({ mayHaveDue }) => mayHaveDue);
  if (asked.length === 0) return () => [];
  // A retry that is recorded meanwhile may still be read as it was before, so it is skipped too. One that was queued again while
  // its first attempt is in flight is read once that is recorded.
  const before = new Map(
    asked.map((endpoint) => [
      endpoint,
      { skipped: endpoint.retrying.size, here: new Set([...endpoint.retrying, ...endpoint.unfinished]) },
    ]),
  );
  const most = deliveriesEach(asked.length);
  const rows = await sql.readDue(db.pool, {
    endpointIds: asked.map(({ id }) => id),
    skipped: [...before.values()].map(({ skipped }) => skipped),
    isTest,
    now: clock.now(),
    most,
  });
  const byEndpoint = Map.groupBy(rows, ({ endpointId }) => endpointId);
  return (endpoint) => {
    const known = before.get(endpoint);
    if (known === undefined) return [];
    const read = byEndpoint.get(endpoint.id) ?? [];
    endpoint.mayHaveDue = read.length === most + known.skipped;
    // The fresh ones that were read just now are unfinished too.
    return read
      .filter(({ id }) => !known.here.has(id) && !endpoint.unfinished.has(id))
      .map(({ testNumber, eventId, ...row }) => ({
        ...row,
        endpoint,
        eventId: eventId ?? testNumber,
        isTest,
        isRetry: true,
      }));
  };
}
