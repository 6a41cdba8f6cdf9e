import type { EventType } from "../../events/event-types.ts";

/** The limits of a lane: the most deliveries in flight of this process, to one endpoint and for one account. */
export interface Limits {
  /** Test deliveries have a lane of their own, so that they never wait behind others. */
  isTest: boolean;
  slots: number;
  perEndpoint: number;
  perAccount: number;
}

/** A delivery in this process: it waits for its turn, or is in flight until it is recorded. */
export interface Queued {
  id: number;
  endpoint: EndpointQueue;
  /** Id of the event; a test delivery has a number of its own. */
  eventId: number;
  eventType: EventType;
  isTest: boolean;
  createdAt: Date;
  dueAt: Date;
  /** Number of the attempt that it waits for. */
  attempt: number;
  /** Failed attempts before this one. */
  failures: number;
  /** Whether it has a row in webhook_retry. */
  isRetry: boolean;
}

/** Deliveries in flight over all dispatchers are those of the account's owner, so its own counts suffice. */
export interface AccountQueue {
  readonly id: number;
  inFlight: number;
  /** Deliveries that were cancelled instead of sent, and are not recorded yet. */
  cancelling: number;
  /** No more deliveries are started: another dispatcher is to have the account. */
  isLeaving: boolean;
  readonly endpoints: Set<EndpointQueue>;
  /** Endpoints with deliveries that wait in this process. */
  readonly waiting: Set<EndpointQueue>;
  /** The set of `Lane` that it is in while it has a delivery that may start. */
  turn: Set<AccountQueue> | null;
}

/** The deliveries of an endpoint that are in this process. */
export interface EndpointQueue {
  readonly id: number;
  readonly lane: Lane;
  readonly account: AccountQueue;
  inFlight: number;
  /** Deliveries that wait for their first attempt, in the order of their ids. */
  fresh: Queued[];
  /** Deliveries that wait for another attempt, the one due first in front. */
  due: Queued[];
  /** Deliveries up to this id were read from the database. */
  readTo: number;
  savedTo: number;
  mayHaveFresh: boolean;
  mayHaveDue: boolean;
  /** The owner before may have recorded some of the next deliveries: their results must be looked up. */
  isCatchingUp: boolean;
  undoneInARow: number;
  /** Ids of fresh deliveries in this process, ascending. */
  readonly unfinished: Set<number>;
  /** Ids of retries in this process. */
  readonly retrying: Set<number>;
  /** Whether this dispatcher has counted a failure against it and no success since. */
  hasStreak: boolean;
}

/** An endpoint's queue is filled up when fewer than so many wait in it… */
const FEW_WAITING = 10;
/** …as long as no more than this wait in all. */
const MOST_WAITING = 4_000;
/** Nothing starts while so many cancelled deliveries are to be recorded. */
const MOST_CANCELLING = 1_000;

/** The deliveries of a lane in this process, in the order in which they may start. */
export class Lane {
  readonly limits: Limits;
  /** Slots in use: deliveries in flight. */
  inFlight = 0;
  #waiting = 0;
  #cancelling = 0;
  readonly #accounts = new Map<number, AccountQueue>();
  readonly #endpoints = new Map<number, EndpointQueue>();
  /** Accounts with a delivery that may start, by how many they have in flight. */
  readonly #turns: Set<AccountQueue>[];
  /** Endpoints that may have more deliveries in the database, those filled up longest ago first. */
  readonly #more = new Set<EndpointQueue>();

  constructor(limits: Limits) {
    this.limits = limits;
    this.#turns = Array.from({ length: limits.perAccount }, () => new Set());
  }

  addAccount(accountId: number): void {
    if (this.#accounts.has(accountId)) return;
    const account = { id: accountId, inFlight: 0, cancelling: 0, isLeaving: false, turn: null };
    this.#accounts.set(accountId, { ...account, endpoints: new Set(), waiting: new Set() });
  }

  hasAccount(accountId: number): boolean {
    return this.#accounts.has(accountId);
  }

  /** Adds an endpoint of an account of the lane. Its deliveries after `doneTo` are looked for. */
  addEndpoint(endpointId: number, accountId: number, doneTo: number): void {
    const account = this.#accounts.get(accountId);
    if (account === undefined || this.#endpoints.has(endpointId)) return;
    const endpoint: EndpointQueue = {
      id: endpointId,
      lane: this,
      account,
      inFlight: 0,
      fresh: [],
      due: [],
      readTo: doneTo,
      savedTo: doneTo,
      mayHaveFresh: !this.limits.isTest,
      mayHaveDue: true,
      isCatchingUp: true,
      undoneInARow: 0,
      unfinished: new Set(),
      retrying: new Set(),
      hasStreak: false,
    };
    account.endpoints.add(endpoint);
    this.#endpoints.set(endpointId, endpoint);
    this.#more.add(endpoint);
  }

  /** Starts no more deliveries of these accounts, and of all others again. */
  leave(isLeaving: (accountId: number) => boolean): void {
    for (const account of this.#accounts.values()) {
      const leaves = isLeaving(account.id);
      if (leaves === account.isLeaving) continue;
      account.isLeaving = leaves;
      this.#place(account);
    }
  }

  /** Accounts that are to leave and have nothing that is to be recorded. */
  left(): number[] {
    return [...this.#accounts.values()].flatMap(({ id, isLeaving, inFlight, cancelling }) =>
      isLeaving && inFlight + cancelling === 0 ? [id] : [],
    );
  }

  dropAccount(accountId: number): void {
    const account = this.#accounts.get(accountId);
    if (account === undefined) return;
    this.#accounts.delete(accountId);
    account.turn?.delete(account);
    for (const endpoint of account.endpoints) {
      this.#waiting -= endpoint.fresh.length + endpoint.due.length;
      this.#endpoints.delete(endpoint.id);
      this.#more.delete(endpoint);
    }
  }

  /** New deliveries or due retries of an endpoint were seen. Returns false when its account is not of this lane. */
  noteWork(endpointId: number, accountId: number, kind: "fresh" | "due"): boolean {
    if (!this.#accounts.has(accountId)) return false;
    this.addEndpoint(endpointId, accountId, 0);
    const endpoint = this.#endpoints.get(endpointId) as EndpointQueue;
    if (kind === "fresh") endpoint.mayHaveFresh = true;
    else endpoint.mayHaveDue = true;
    this.#more.add(endpoint);
    return true;
  }

  /** Up to `most` endpoints whose queues should be filled up. */
  hungry(most: number): EndpointQueue[] {
    const found: EndpointQueue[] = [];
    if (this.#waiting >= MOST_WAITING) return found;
    for (const endpoint of this.#more) {
      const { account, fresh, due } = endpoint;
      if (account.isLeaving || fresh.length + due.length >= FEW_WAITING) continue;
      if (endpoint.inFlight >= this.limits.perEndpoint || account.inFlight >= this.limits.perAccount)
        continue;
      found.push(endpoint);
      if (found.length === most) break;
    }
    return found;
  }

  /** Adds deliveries that were read for an endpoint. The flags say whether it may have more of each kind. */
  fill(endpoint: EndpointQueue, queued: readonly Queued[]): void {
    this.#more.delete(endpoint);
    // The account was given away, and perhaps taken again, while they were read.
    if (this.#endpoints.get(endpoint.id) !== endpoint) return;
    if (endpoint.mayHaveFresh || endpoint.mayHaveDue) this.#more.add(endpoint);
    if (queued.length === 0) return;
    for (const one of queued) {
      (one.isRetry ? endpoint.due : endpoint.fresh).push(one);
      if (one.isRetry) endpoint.retrying.add(one.id);
    }
    this.#waiting += queued.length;
    endpoint.account.waiting.add(endpoint);
    this.#place(endpoint.account);
  }

  /** Events of the deliveries that wait for their first attempt, some of them more than once. */
  *waitingEvents(): Generator<number> {
    for (const { waiting } of this.#accounts.values()) {
      for (const { fresh } of waiting) for (const { eventId } of fresh) yield eventId;
    }
  }

  hasNext(): boolean {
    return this.#hasRoom() && this.#turns.some((accounts) => accounts.size > 0);
  }

  #hasRoom(): boolean {
    return this.inFlight < this.limits.slots && this.#cancelling < MOST_CANCELLING;
  }

  /**
   * The delivery that may start next; it counts as in flight from now on. Round-robin: the first delivery of every account
   * before the second of any, so that a busy account blocks nobody; within an account the same holds for endpoints.
   */
  next(): Queued | null {
    if (!this.#hasRoom()) return null;
    for (const accounts of this.#turns) {
      for (const account of accounts) {
        const endpoint = this.#startable(account) as EndpointQueue;
        const [fresh, due] = [endpoint.fresh[0], endpoint.due[0]];
        const isDueFirst = due !== undefined && (fresh === undefined || due.dueAt <= fresh.dueAt);
        const queued = (isDueFirst ? endpoint.due : endpoint.fresh).shift() as Queued;
        this.#waiting -= 1;
        account.waiting.delete(endpoint);
        if (endpoint.fresh.length + endpoint.due.length > 0) account.waiting.add(endpoint);
        this.inFlight += 1;
        this.#count(endpoint, 1);
        return queued;
      }
    }
    return null;
  }

  /** Puts a delivery that was not started back in front. */
  putBack(queued: Queued): void {
    this.inFlight -= 1;
    this.#requeue(queued);
  }

  /** Tries a delivery again after a time, without a slot meanwhile. */
  defer(queued: Queued, delayMs: number): void {
    this.inFlight -= 1;
    setTimeout(() => this.#requeue(queued), delayMs).unref();
  }

  #requeue(queued: Queued): void {
    const { endpoint } = queued;
    (queued.isRetry ? endpoint.due : endpoint.fresh).unshift(queued);
    if (this.#endpoints.get(endpoint.id) === endpoint) this.#waiting += 1;
    endpoint.account.waiting.add(endpoint);
    this.#count(endpoint, -1);
  }

  /** A delivery is not sent but cancelled: it needs no slot until that is recorded. */
  cancel({ endpoint }: Queued): void {
    this.inFlight -= 1;
    this.#cancelling += 1;
    endpoint.account.cancelling += 1;
    this.#count(endpoint, -1);
  }

  /** A delivery was recorded: it was in flight, or cancelled. */
  finish({ id, endpoint }: Queued, { wasCancelled = false } = {}): void {
    endpoint.unfinished.delete(id);
    endpoint.retrying.delete(id);
    if (wasCancelled) {
      this.#cancelling -= 1;
      endpoint.account.cancelling -= 1;
    } else {
      this.inFlight -= 1;
      this.#count(endpoint, -1);
    }
  }

  /** All deliveries of an endpoint up to this id that wait for their first attempt were cancelled. */
  skipTo(endpoint: EndpointQueue, deliveryId: number): void {
    endpoint.readTo = Math.max(endpoint.readTo, deliveryId);
    const kept = endpoint.fresh.filter(({ id }) => id > deliveryId);
    for (const { id } of endpoint.fresh) if (id <= deliveryId) endpoint.unfinished.delete(id);
    this.#waiting -= endpoint.fresh.length - kept.length;
    endpoint.fresh = kept;
    if (kept.length + endpoint.due.length === 0) endpoint.account.waiting.delete(endpoint);
    this.#place(endpoint.account);
  }

  /** Up to which delivery endpoints are done, as far as that is not saved yet. Only of one account, if given. */
  progress(accountId?: number): { endpoint: EndpointQueue; doneTo: number }[] {
    const endpoints =
      accountId === undefined ? this.#endpoints.values() : (this.#accounts.get(accountId)?.endpoints ?? []);
    const found: { endpoint: EndpointQueue; doneTo: number }[] = [];
    for (const endpoint of endpoints) {
      const [first] = endpoint.unfinished;
      const doneTo = first === undefined ? endpoint.readTo : first - 1;
      if (doneTo > endpoint.savedTo) found.push({ endpoint, doneTo });
    }
    return found;
  }

  #count(endpoint: EndpointQueue, change: 1 | -1): void {
    endpoint.inFlight += change;
    endpoint.account.inFlight += change;
    this.#place(endpoint.account);
  }

  /** Puts an account behind the others of its turn, if it has a delivery that may start. */
  #place(account: AccountQueue): void {
    account.turn?.delete(account);
    account.turn = null;
    const turn = this.#turns[account.inFlight];
    if (account.isLeaving || turn === undefined || this.#accounts.get(account.id) !== account) return;
    if (this.#startable(account) === null) return;
    turn.add(account);
    account.turn = turn;
  }

  #startable({ waiting }: AccountQueue): EndpointQueue | null {
    let best: EndpointQueue | null = null;
    for (const endpoint of waiting) {
      if (endpoint.inFlight >= (best?.inFlight ?? this.limits.perEndpoint)) continue;
      best = endpoint;
    }
    return best;
  }
}
