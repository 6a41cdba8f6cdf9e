import { SendQueue } from "./queue.ts";
import type { Limits, Queued } from "./queued.ts";

/** Test deliveries have their own slots, so that they are sent at once, whatever else is queued or hangs. */
const TEST_LIMITS: Limits = {
  isTest: true,
  slots: 20,
  perEndpoint: 2,
  perAccount: 5,
  toUnknown: 2,
  toSlow: 5,
};

/** Two receivers that don't answer hold half of their account's slots, and others of the account have the rest. */
const EVENT_LIMITS = { isTest: false, perEndpoint: 5, perAccount: 10, toUnknown: 1, toSlow: 5 };

/** The two queues of a dispatcher, tests before events. Both have the same accounts. */
export class Queues {
  readonly tests = new SendQueue(TEST_LIMITS);
  readonly events: SendQueue;
  readonly all: readonly SendQueue[];

  /** `slots`: the most deliveries of events in flight. */
  constructor(slots: number) {
    this.events = new SendQueue({ ...EVENT_LIMITS, slots });
    this.all = [this.tests, this.events];
  }

  /** The queue of a delivery. */
  of({ isTest }: Queued): SendQueue {
    return isTest ? this.tests : this.events;
  }

  hasNext(): boolean {
    return this.all.some((queue) => queue.hasNext());
  }

  /** Takes all deliveries that may start now; they count as in flight. */
  takeNext(): Queued[] {
    const taken: Queued[] = [];
    for (const queue of this.all)
      for (let one = queue.next(); one !== null; one = queue.next()) taken.push(one);
    return taken;
  }

  /** Whether an endpoint has capacity and may have more deliveries in the database. */
  haveCapacity(): boolean {
    return this.all.some((queue) => queue.withCapacity(1).length > 0);
  }

  inFlight(): number {
    return this.tests.inFlight + this.events.inFlight;
  }
}
