import { describe, expect, it } from "vitest";
import { Lane } from "../../../../src/webhooks/dispatch/queue.ts";
import type { EndpointQueue, Queued } from "../../../../src/webhooks/dispatch/queued.ts";

const LIMITS = { isTest: false, slots: 50, perEndpoint: 5, perAccount: 10, toUnknown: 5, toSlow: 5 };
/** As the dispatcher has them. */
const SENT_BY = { ...LIMITS, toUnknown: 1 };

/** A lane with accounts from 1, each with endpoints of the ids 10 × account + index, all without deliveries. */
function laneOf(endpointsOfAccounts: readonly number[], limits = LIMITS): Lane {
  const lane = new Lane(limits);
  for (const [index, endpoints] of endpointsOfAccounts.entries()) {
    lane.addAccount(index + 1);
    for (let number = 0; number < endpoints; number++)
      lane.addEndpoint(10 * (index + 1) + number, index + 1, 0);
  }
  return lane;
}

const endpointOf = (lane: Lane, id: number) =>
  lane.hungry(1_000).find((endpoint) => endpoint.id === id) as EndpointQueue;

/** Fills an endpoint's queue with deliveries of these ids, as if they had been read. */
function fill(lane: Lane, endpoint: EndpointQueue, ids: readonly number[], isRetry = false): void {
  const queued = ids.map(
    (id): Queued => ({
      id,
      endpoint,
      eventId: id,
      eventType: "reinstated",
      isTest: false,
      createdAt: new Date(id),
      dueAt: new Date(id),
      attempt: 1,
      failures: 0,
      isRetry,
    }),
  );
  if (!isRetry) {
    for (const id of ids) endpoint.unfinished.add(id);
    endpoint.readTo = ids.at(-1) ?? endpoint.readTo;
  }
  lane.fill(endpoint, queued);
}

const take = (lane: Lane, most = 1_000): Queued[] =>
  Array.from({ length: most }, () => lane.next()).filter((queued) => queued !== null);

/** Ids of the endpoints that get more, by how many, with what waits and is in flight now. */
function startedBy(lane: Lane): Record<number, number> {
  const ids = take(lane).map(({ endpoint }) => endpoint.id);
  return Object.fromEntries(
    [...new Set(ids)].sort().map((id) => [id, ids.filter((one) => one === id).length]),
  );
}

describe("endpoints of one account", () => {
  const idsOf = (id: number) => Array.from({ length: 30 }, (_, index) => id * 100 + index);

  it("get one delivery each until one has ended, then as many as their answers were quick", () => {
    const lane = laneOf([3], SENT_BY);
    for (const id of [10, 11, 12]) fill(lane, endpointOf(lane, id), idsOf(id));
    const first = take(lane);
    expect(first.map(({ endpoint }) => endpoint.id)).toEqual([10, 11, 12]);
    for (const queued of first.slice(0, 2)) lane.finish(queued, { tookMs: 1_000 });
    expect(startedBy(lane)).toEqual({ 10: 5, 11: 4 });
  });

  it("that are slow share half of the account's slots, so that the others have the rest", () => {
    const lane = laneOf([3], SENT_BY);
    for (const id of [10, 11, 12]) fill(lane, endpointOf(lane, id), idsOf(id));
    for (const queued of take(lane)) lane.finish(queued, { tookMs: queued.endpoint.id === 12 ? 20 : 15_000 });
    expect(startedBy(lane)).toEqual({ 10: 3, 11: 2, 12: 5 });
  });

  it("that are slow hold no more, however many they are, and each has its turn", () => {
    const lane = laneOf([12], SENT_BY);
    const endpoints = Array.from({ length: 12 }, (_, index) => 10 + index);
    for (const id of endpoints) fill(lane, endpointOf(lane, id), idsOf(id));
    for (let round = 0; round < 2; round += 1)
      for (const queued of take(lane)) lane.finish(queued, { tookMs: 15_000 });
    const turns = new Set<number>();
    for (let round = 0; round < 3; round += 1) {
      const started = take(lane);
      expect(started).toHaveLength(5);
      for (const queued of started) {
        turns.add(queued.endpoint.id);
        lane.finish(queued, { tookMs: 15_000 });
      }
    }
    expect(turns.size).toBe(12);
  });

  it("are quick again after one quick answer, and unknown again when nothing is left to send", () => {
    const lane = laneOf([1], SENT_BY);
    const endpoint = endpointOf(lane, 10);
    fill(lane, endpoint, [1]);
    lane.finish(lane.next() as Queued, { tookMs: 15_000 });
    fill(lane, endpoint, [2]);
    lane.finish(lane.next() as Queued, { tookMs: 20 });
    // More waits in the database.
    fill(lane, endpoint, [3, 4, 5]);
    endpoint.mayHaveFresh = false;
    endpoint.mayHaveDue = false;
    const three = take(lane);
    expect(three).toHaveLength(3);
    for (const queued of three) lane.finish(queued, { tookMs: 20 });
    fill(lane, endpoint, idsOf(10));
    const [first, ...others] = take(lane);
    expect(others).toEqual([]);
    lane.finish(first as Queued, { tookMs: 20 });
    expect(startedBy(lane)).toEqual({ 10: 5 });
  });
});

describe("a lane", () => {
  it("starts at most 5 of an endpoint and 10 of an account, and no more than it has slots", () => {
    const lane = laneOf([3, 1]);
    for (const id of [10, 11, 12, 20])
      fill(
        lane,
        endpointOf(lane, id),
        [1, 2, 3, 4, 5, 6, 7].map((n) => id * 100 + n),
      );
    const started = take(lane);
    const byEndpoint = Map.groupBy(started, ({ endpoint }) => endpoint.id);
    expect(started).toHaveLength(15);
    expect(Math.max(...[...byEndpoint.values()].map(({ length }) => length))).toBe(5);
    expect(byEndpoint.get(20)).toHaveLength(5);
    lane.finish(started[0] as Queued);
    expect(take(lane)).toHaveLength(1);

    const narrow = laneOf([1], { ...LIMITS, slots: 3 });
    fill(narrow, endpointOf(narrow, 10), [1, 2, 3, 4, 5]);
    expect(take(narrow)).toHaveLength(3);
  });

  it("starts the first of every account before the second of any, and each endpoint's oldest first", () => {
    const lane = laneOf([2, 1]);
    fill(lane, endpointOf(lane, 10), [1, 3, 5]);
    fill(lane, endpointOf(lane, 11), [2, 4, 6]);
    fill(lane, endpointOf(lane, 20), [7, 8, 9]);
    const accounts = take(lane, 6).map(({ endpoint }) => endpoint.account.id);
    for (const pair of [0, 2, 4]) expect(accounts.slice(pair, pair + 2).sort()).toEqual([1, 2]);
    const rest = take(lane);
    expect(rest.map(({ id }) => id)).toEqual([...rest.map(({ id }) => id)].sort((one, other) => one - other));
  });

  it("starts a retry and new deliveries of an endpoint in the order in which they are due", () => {
    const lane = laneOf([1]);
    const endpoint = endpointOf(lane, 10);
    fill(lane, endpoint, [1, 4]);
    fill(lane, endpoint, [2, 5], true);
    expect(take(lane).map(({ id }) => id)).toEqual([1, 2, 4, 5]);
  });

  it("is done up to the delivery before the oldest that is not recorded", () => {
    const lane = laneOf([1]);
    fill(lane, endpointOf(lane, 10), [3, 6, 9]);
    const started = take(lane);
    const doneTo = () => lane.progress()[0]?.doneTo;
    expect(doneTo()).toBe(2);
    lane.finish(started[1] as Queued);
    expect(doneTo()).toBe(2);
    lane.finish(started[0] as Queued);
    expect(doneTo()).toBe(8);
    lane.finish(started[2] as Queued);
    expect(doneTo()).toBe(9);
  });

  it("starts none of an account that leaves, and lets it go when all is recorded", () => {
    const lane = laneOf([1, 1]);
    fill(lane, endpointOf(lane, 10), [1, 2, 3, 4, 5, 6]);
    fill(lane, endpointOf(lane, 20), [7]);
    const started = take(lane, 2);
    lane.leave((accountId) => accountId === 1);
    expect(take(lane)).toEqual([]);
    expect(lane.left()).toEqual([]);
    for (const queued of started) lane.finish(queued);
    expect(lane.left()).toEqual([1]);
    lane.dropAccount(1);
    expect(lane.hasAccount(1)).toBe(false);
    expect(lane.noteWork(10, 1, "fresh")).toBe(false);
  });

  it("continues with an account that no longer has to leave", () => {
    const lane = laneOf([1]);
    fill(lane, endpointOf(lane, 10), [1, 2]);
    lane.leave(() => true);
    lane.leave(() => false);
    expect(take(lane).map(({ id }) => id)).toEqual([1, 2]);
  });

  it("puts back what was not started in front", () => {
    const lane = laneOf([1]);
    fill(lane, endpointOf(lane, 10), [1, 2, 3]);
    const [first, second] = take(lane, 2);
    for (const queued of [second, first]) lane.putBack(queued as Queued);
    expect(take(lane).map(({ id }) => id)).toEqual([1, 2, 3]);
  });

  it("forgets waiting deliveries up to one that were cancelled together, and those in flight are recorded", () => {
    const lane = laneOf([1]);
    const endpoint = endpointOf(lane, 10);
    fill(lane, endpoint, [1, 2, 3, 12]);
    const [inFlight] = take(lane, 1);
    lane.skipTo(endpoint, 10);
    expect(take(lane).map(({ id }) => id)).toEqual([12]);
    expect(lane.progress()[0]?.doneTo).toBeUndefined();
    lane.finish(inFlight as Queued);
    expect(lane.progress()[0]?.doneTo).toBe(11);
  });

  it("needs no slot for what is cancelled, but keeps its account until that is recorded", () => {
    const lane = laneOf([1], { ...LIMITS, slots: 1 });
    fill(lane, endpointOf(lane, 10), [1, 2]);
    const [cancelled] = take(lane, 1);
    lane.cancel(cancelled as Queued);
    expect(take(lane).map(({ id }) => id)).toEqual([2]);
    expect(lane.progress()).toEqual([]);
    lane.finish(cancelled as Queued, { wasCancelled: true });
    expect(lane.progress()[0]?.doneTo).toBe(1);
  });

  it("asks for more while few wait, unless nothing of the endpoint could start", () => {
    const lane = laneOf([1, 1]);
    const [busy, idle] = [endpointOf(lane, 10), endpointOf(lane, 20)];
    fill(lane, busy, [1, 2, 3, 4, 5]);
    expect(lane.hungry(10)).toEqual([idle, busy]);
    take(lane);
    expect(lane.hungry(10)).toEqual([idle]);
    busy.mayHaveFresh = false;
    busy.mayHaveDue = false;
    lane.fill(busy, []);
    for (const each of [busy]) each.inFlight = 0;
    expect(lane.hungry(10)).toEqual([idle]);
  });
});
