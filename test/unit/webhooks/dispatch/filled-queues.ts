import { SendQueue } from "../../../../src/webhooks/dispatch/queue.ts";
import type { EndpointQueue, Queued } from "../../../../src/webhooks/dispatch/queued.ts";

export const LIMITS = { isTest: false, slots: 50, perEndpoint: 5, perAccount: 10, toUnknown: 5, toSlow: 5 };
/** As the dispatcher has them. */
export const SENT_BY = { ...LIMITS, toUnknown: 1 };

/** A queue with accounts from 1, each with endpoints of the ids 10 × account + index, all without deliveries. */
export function queueOf(endpointsOfAccounts: readonly number[], limits = LIMITS): SendQueue {
  const queue = new SendQueue(limits);
  for (const [index, endpoints] of endpointsOfAccounts.entries()) {
    queue.addAccount(index + 1);
    for (let number = 0; number < endpoints; number++)
      queue.addEndpoint(10 * (index + 1) + number, index + 1);
  }
  return queue;
}

export const endpointOf = (queue: SendQueue, id: number) =>
  queue.withCapacity(1_000).find((endpoint) => endpoint.id === id) as EndpointQueue;

/** Fills an endpoint's queue with deliveries of these ids, as if they had been read. */
export function fill(
  queue: SendQueue,
  endpoint: EndpointQueue,
  ids: readonly number[],
  isRetry = false,
): void {
  const queued = ids.map(
    (id): Queued => ({
      id,
      endpoint,
      eventId: id,
      correctionId: null,
      changeId: null,
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
  queue.fill(endpoint, queued);
}

export const take = (queue: SendQueue, most = 1_000): Queued[] =>
  Array.from({ length: most }, () => queue.next()).filter((queued) => queued !== null);

/** Ids of the endpoints that get more, by how many, with what waits and is in flight now. */
export function startedBy(queue: SendQueue): Record<number, number> {
  const ids = take(queue).map(({ endpoint }) => endpoint.id);
  return Object.fromEntries(
    [...new Set(ids)].sort().map((id) => [id, ids.filter((one) => one === id).length]),
  );
}
