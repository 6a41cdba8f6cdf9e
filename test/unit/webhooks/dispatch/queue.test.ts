import { describe, expect, it } from "vitest";
import { type EndpointQueue, Lane, type Queued } from "../../../../src/webhooks/dispatch/queue.ts";

const LIMITS = { isTest: false, slots: 50, perEndpoint: 5, perAccount: 10 };

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
