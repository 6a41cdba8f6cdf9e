import { describe, expect, it } from "vitest";
import type { Queued } from "../../../../src/webhooks/dispatch/queued.ts";
import { endpointOf, fill, LIMITS, queueOf, SENT_BY, startedBy, take } from "./filled-queues.ts";

describe("endpoints of one account", () => {
  const idsOf = (id: number) => Array.from({ length: 30 }, (_, index) => id * 100 + index);

  it("get one delivery each until one has ended, then as many as their answers were quick", () => {
    const queue = queueOf([3], SENT_BY);
    for (const id of [10, 11, 12]) fill(queue, endpointOf(queue, id), idsOf(id));
    const first = take(queue);
    expect(first.map(({ endpoint }) => endpoint.id)).toEqual([10, 11, 12]);
    for (const queued of first.slice(0, 2)) queue.finish(queued, { tookMs: 1_000 });
    expect(startedBy(queue)).toEqual({ 10: 5, 11: 4 });
  });

  it("that are slow share half of the account's slots, so that the others have the rest", () => {
    const queue = queueOf([3], SENT_BY);
    for (const id of [10, 11, 12]) fill(queue, endpointOf(queue, id), idsOf(id));
    for (const queued of take(queue))
      queue.finish(queued, { tookMs: queued.endpoint.id === 12 ? 20 : 15_000 });
    expect(startedBy(queue)).toEqual({ 10: 3, 11: 2, 12: 5 });
  });

  it("that are slow hold no more, however many they are, and each has its turn", () => {
    const queue = queueOf([12], SENT_BY);
    const endpoints = Array.from({ length: 12 }, (_, index) => 10 + index);
    for (const id of endpoints) fill(queue, endpointOf(queue, id), idsOf(id));
    for (let round = 0; round < 2; round += 1)
      for (const queued of take(queue)) queue.finish(queued, { tookMs: 15_000 });
    const turns = new Set<number>();
    for (let round = 0; round < 3; round += 1) {
      const started = take(queue);
      expect(started).toHaveLength(5);
      for (const queued of started) {
        turns.add(queued.endpoint.id);
        queue.finish(queued, { tookMs: 15_000 });
      }
    }
    expect(turns.size).toBe(12);
  });

  it("are quick again after one quick answer, and unknown again when nothing is left to send", () => {
    const queue = queueOf([1], SENT_BY);
    const endpoint = endpointOf(queue, 10);
    fill(queue, endpoint, [1]);
    queue.finish(queue.next() as Queued, { tookMs: 15_000 });
    fill(queue, endpoint, [2]);
    queue.finish(queue.next() as Queued, { tookMs: 20 });
    // More waits in the database.
    fill(queue, endpoint, [3, 4, 5]);
    endpoint.mayHaveFresh = false;
    endpoint.mayHaveDue = false;
    const three = take(queue);
    expect(three).toHaveLength(3);
    for (const queued of three) queue.finish(queued, { tookMs: 20 });
    fill(queue, endpoint, idsOf(10));
    const [first, ...others] = take(queue);
    expect(others).toEqual([]);
    queue.finish(first as Queued, { tookMs: 20 });
    expect(startedBy(queue)).toEqual({ 10: 5 });
  });

  it("are unknown again after the last, although a later look finds those that were read already", () => {
    const queue = queueOf([1], SENT_BY);
    const endpoint = endpointOf(queue, 10);
    endpoint.mayHaveFresh = false;
    endpoint.mayHaveDue = false;
    fill(queue, endpoint, [1]);
    queue.markWork(10, 1, { freshTo: 1 });
    queue.finish(queue.next() as Queued, { tookMs: 20 });
    queue.markWork(10, 1, { freshTo: 31 });
    fill(queue, endpoint, idsOf(10));
    expect(startedBy(queue)).toEqual({ 10: 1 });
  });

  it("are unknown again when a look into the database finds that nothing is left", () => {
    const queue = queueOf([1], SENT_BY);
    const endpoint = endpointOf(queue, 10);
    fill(queue, endpoint, [1]);
    // It ends while the database may have more.
    queue.finish(queue.next() as Queued, { tookMs: 20 });
    endpoint.mayHaveFresh = false;
    endpoint.mayHaveDue = false;
    queue.fill(endpoint, []);
    fill(queue, endpoint, idsOf(10));
    expect(startedBy(queue)).toEqual({ 10: 1 });
  });

  it("are unknown again when all that waits was cancelled", () => {
    const queue = queueOf([1], SENT_BY);
    const endpoint = endpointOf(queue, 10);
    fill(queue, endpoint, [1, 2, 3]);
    endpoint.mayHaveFresh = false;
    endpoint.mayHaveDue = false;
    queue.finish(queue.next() as Queued, { tookMs: 20 });
    queue.skipTo(endpoint, 3);
    fill(queue, endpoint, idsOf(10));
    expect(startedBy(queue)).toEqual({ 10: 1 });
  });
});

describe("a queue", () => {
  it("starts at most 5 of an endpoint and 10 of an account, and no more than it has slots", () => {
    const queue = queueOf([3, 1]);
    for (const id of [10, 11, 12, 20])
      fill(
        queue,
        endpointOf(queue, id),
        [1, 2, 3, 4, 5, 6, 7].map((n) => id * 100 + n),
      );
    const started = take(queue);
    const byEndpoint = Map.groupBy(started, ({ endpoint }) => endpoint.id);
    expect(started).toHaveLength(15);
    expect(Math.max(...[...byEndpoint.values()].map(({ length }) => length))).toBe(5);
    expect(byEndpoint.get(20)).toHaveLength(5);
    queue.finish(started[0] as Queued);
    expect(take(queue)).toHaveLength(1);

    const narrow = queueOf([1], { ...LIMITS, slots: 3 });
    fill(narrow, endpointOf(narrow, 10), [1, 2, 3, 4, 5]);
    expect(take(narrow)).toHaveLength(3);
  });

  it("starts the first of every account before the second of any, and each endpoint's oldest first", () => {
    const queue = queueOf([2, 1]);
    fill(queue, endpointOf(queue, 10), [1, 3, 5]);
    fill(queue, endpointOf(queue, 11), [2, 4, 6]);
    fill(queue, endpointOf(queue, 20), [7, 8, 9]);
    const accounts = take(queue, 6).map(({ endpoint }) => endpoint.account.id);
    for (const pair of [0, 2, 4]) expect(accounts.slice(pair, pair + 2).sort()).toEqual([1, 2]);
    const rest = take(queue);
    expect(rest.map(({ id }) => id)).toEqual([...rest.map(({ id }) => id)].sort((one, other) => one - other));
  });

  it("starts a retry and new deliveries of an endpoint in the order in which they are due", () => {
    const queue = queueOf([1]);
    const endpoint = endpointOf(queue, 10);
    fill(queue, endpoint, [1, 4]);
    fill(queue, endpoint, [2, 5], true);
    expect(take(queue).map(({ id }) => id)).toEqual([1, 2, 4, 5]);
  });

  it("is done up to the delivery before the oldest that is not recorded", () => {
    const queue = queueOf([1]);
    fill(queue, endpointOf(queue, 10), [3, 6, 9]);
    const started = take(queue);
    const doneTo = () => queue.progress()[0]?.doneTo;
    expect(doneTo()).toBe(2);
    queue.finish(started[1] as Queued);
    expect(doneTo()).toBe(2);
    queue.finish(started[0] as Queued);
    expect(doneTo()).toBe(8);
    queue.finish(started[2] as Queued);
    expect(doneTo()).toBe(9);
  });

  it("starts none of an account that leaves, and lets it go when all is recorded", () => {
    const queue = queueOf([1, 1]);
    fill(queue, endpointOf(queue, 10), [1, 2, 3, 4, 5, 6]);
    fill(queue, endpointOf(queue, 20), [7]);
    const started = take(queue, 2);
    queue.setLeaving((accountId) => accountId === 1);
    expect(take(queue)).toEqual([]);
    expect(queue.readyToLeave()).toEqual([]);
    for (const queued of started) queue.finish(queued);
    expect(queue.readyToLeave()).toEqual([1]);
    queue.dropAccount(1);
    expect(queue.hasAccount(1)).toBe(false);
    expect(queue.markWork(10, 1, { freshTo: 1 })).toBe(false);
  });

  it("continues with an account that no longer has to leave", () => {
    const queue = queueOf([1]);
    fill(queue, endpointOf(queue, 10), [1, 2]);
    queue.setLeaving(() => true);
    queue.setLeaving(() => false);
    expect(take(queue).map(({ id }) => id)).toEqual([1, 2]);
  });

  it("puts back what was not started in front", () => {
    const queue = queueOf([1]);
    fill(queue, endpointOf(queue, 10), [1, 2, 3]);
    const [first, second] = take(queue, 2);
    for (const queued of [second, first]) queue.putBack(queued as Queued);
    expect(take(queue).map(({ id }) => id)).toEqual([1, 2, 3]);
  });

  it("forgets waiting deliveries up to one that were cancelled together, and those in flight are recorded", () => {
    const queue = queueOf([1]);
    const endpoint = endpointOf(queue, 10);
    fill(queue, endpoint, [1, 2, 3, 12]);
    const [inFlight] = take(queue, 1);
    queue.skipTo(endpoint, 10);
    expect(take(queue).map(({ id }) => id)).toEqual([12]);
    expect(queue.progress()[0]?.doneTo).toBeUndefined();
    queue.finish(inFlight as Queued);
    expect(queue.progress()[0]?.doneTo).toBe(11);
  });

  it("needs no slot for what is cancelled, but keeps its account until that is recorded", () => {
    const queue = queueOf([1], { ...LIMITS, slots: 1 });
    fill(queue, endpointOf(queue, 10), [1, 2]);
    const [cancelled] = take(queue, 1);
    queue.cancel(cancelled as Queued);
    expect(take(queue).map(({ id }) => id)).toEqual([2]);
    expect(queue.progress()).toEqual([]);
    queue.finish(cancelled as Queued, { wasCancelled: true });
    expect(queue.progress()[0]?.doneTo).toBe(1);
  });

  it("asks for more while few wait, unless nothing of the endpoint could start", () => {
    const queue = queueOf([1, 1]);
    const [busy, idle] = [endpointOf(queue, 10), endpointOf(queue, 20)];
    fill(queue, busy, [1, 2, 3, 4, 5]);
    expect(queue.withCapacity(10)).toEqual([idle, busy]);
    take(queue);
    expect(queue.withCapacity(10)).toEqual([idle]);
    busy.mayHaveFresh = false;
    busy.mayHaveDue = false;
    queue.fill(busy, []);
    for (const each of [busy]) each.inFlight = 0;
    expect(queue.withCapacity(10)).toEqual([idle]);
  });
});
