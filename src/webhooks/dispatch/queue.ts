import { type AccountQueue, type EndpointQueue, type Limits, NEW_ENDPOINT, type Queued } from "./queued.ts";
import { setPace, Turns } from "./turns.ts";

/** An endpoint's queue is filled up when fewer than so many wait in it… */
const FEW_WAITING = 10;
/** …as long as no more than this wait in all. */
const MOST_WAITING = 4_000;
/** An attempt that takes longer shows a slow endpoint. */
const QUICK_MS = 1_000;
/** Nothing starts while so many cancelled deliveries are to be recorded. */
const MOST_CANCELLING = 1_000;

/** Deliveries in this process, events or tests, in the order in which they may start. */
export class SendQueue {
  readonly limits: Limits;
  /** Slots in use. */
  inFlight = 0;
  #waiting = 0;
  #cancelling = 0;
  readonly #turns: Turns;
  readonly #accounts = new Map<number, AccountQueue>();
  readonly #endpoints = new Map<number, EndpointQueue>();
  /** Endpoints that may have more deliveries in the database, those filled up longest ago first. */
  readonly #more = new Set<EndpointQueue>();

  constructor(limits: Limits) {
    this.limits = limits;
    this.#turns = new Turns(limits);
  }

  addAccount(accountId: number): void {
    if (this.#accounts.has(accountId)) return;
    const idle = { inFlight: 0, slowInFlight: 0, cancelling: 0, isLeaving: false, turn: null };
    this.#accounts.set(accountId, { id: accountId, ...idle, endpoints: new Set(), waiting: new Set() });
  }

  hasAccount(accountId: number): boolean {
    return this.#accounts.has(accountId);
  }

  /** Adds an endpoint of an account of the queue. Its deliveries after `doneTo` are looked for. */
  addEndpoint(endpointId: number, accountId: number, { doneTo, hasStreak } = NEW_ENDPOINT): void {
    const account = this.#accounts.get(accountId);
    if (account === undefined || this.#endpoints.has(endpointId)) return;
    const endpoint: EndpointQueue = {
      id: endpointId,
      account,
      inFlight: 0,
      pace: "unknown",
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
      hasStreak,
    };
    account.endpoints.add(endpoint);
    this.#endpoints.set(endpointId, endpoint);
    this.#more.add(endpoint);
  }

  /** Starts no more deliveries of the accounts for which this is true; starts those of the others. */
  setLeaving(isLeaving: (accountId: number) => boolean): void {
    for (const account of this.#accounts.values()) {
      const leaves = isLeaving(account.id);
      if (leaves === account.isLeaving) continue;
      account.isLeaving = leaves;
      this.#turns.place(account);
    }
  }

  /** Accounts that are leaving and have nothing left to record. */
  readyToLeave(): number[] {
    return [...this.#accounts.values()].flatMap(({ id, isLeaving, inFlight, cancelling }) =>
      isLeaving && inFlight + cancelling === 0 ? [id] : [],
    );
  }

  dropAccount(accountId: number): void {
    const account = this.#accounts.get(accountId);
    if (account === undefined) return;
    this.#accounts.delete(accountId);
    account.isLeaving = true;
    this.#turns.place(account);
    for (const endpoint of account.endpoints) {
      this.#waiting -= endpoint.fresh.length + endpoint.due.length;
      this.#endpoints.delete(endpoint.id);
      this.#more.delete(endpoint);
    }
  }

  /**
   * Marks that the database has new deliveries of an endpoint, up to `freshTo`, or due retries when that is null. Returns
   * false if its account is not here.
   */
  markWork(endpointId: number, accountId: number, { freshTo }: { freshTo: number | null }): boolean {
    if (!this.#accounts.has(accountId)) return false;
    this.addEndpoint(endpointId, accountId);
    const endpoint = this.#endpoints.get(endpointId) as EndpointQueue;
    if (freshTo === null) endpoint.mayHaveDue = true;
    // A look may come after a reading that saw the same deliveries. As work, they would hide that the last of them ended.
    else if (freshTo <= endpoint.readTo) return true;
    else endpoint.mayHaveFresh = true;
    this.#more.add(endpoint);
    return true;
  }

  /** Up to `most` endpoints that have capacity and may have more deliveries in the database. */
  withCapacity(most: number): EndpointQueue[] {
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

  /** Adds deliveries that were read for an endpoint. Its flags say whether the database may have more of each kind. */
  fill(endpoint: EndpointQueue, queued: readonly Queued[]): void {
    this.#more.delete(endpoint);
    // While they were read, the account was released and perhaps leased again.
    if (this.#endpoints.get(endpoint.id) !== endpoint) return;
    if (endpoint.mayHaveFresh || endpoint.mayHaveDue) this.#more.add(endpoint);
    for (const one of queued) {
      (one.isRetry ? endpoint.due : endpoint.fresh).push(one);
      if (one.isRetry) endpoint.retrying.add(one.id);
    }
    this.#waiting += queued.length;
    // Its last delivery may have ended while it was not known whether the database has more.
    this.#turns.forgetPaceOfIdle(endpoint);
    if (queued.length === 0) return;
    endpoint.account.waiting.add(endpoint);
    this.#turns.place(endpoint.account);
  }

  /** Events of the deliveries that wait for their first attempt, some of them more than once. */
  *waitingEvents(): Generator<number> {
    for (const { waiting } of this.#accounts.values()) {
      for (const { fresh } of waiting) for (const { eventId } of fresh) if (eventId !== null) yield eventId;
    }
  }

  hasNext(): boolean {
    return this.#hasFreeSlot() && !this.#turns.isEmpty();
  }

  #hasFreeSlot(): boolean {
    return this.inFlight < this.limits.slots && this.#cancelling < MOST_CANCELLING;
  }

  /** Takes the delivery that may start next; it counts as in flight from now on. Null when none may. */
  next(): Queued | null {
    const endpoint = this.#hasFreeSlot() ? this.#turns.next() : null;
    if (endpoint === null) return null;
    const { waiting } = endpoint.account;
    const [fresh, due] = [endpoint.fresh[0], endpoint.due[0]];
    const isDueFirst = due !== undefined && (fresh === undefined || due.dueAt <= fresh.dueAt);
    const queued = (isDueFirst ? endpoint.due : endpoint.fresh).shift() as Queued;
    this.#waiting -= 1;
    waiting.delete(endpoint);
    if (endpoint.fresh.length + endpoint.due.length > 0) waiting.add(endpoint);
    this.inFlight += 1;
    this.#turns.count(endpoint, 1);
    return queued;
  }

  /** Puts a delivery that was not started back in front. */
  putBack(queued: Queued): void {
    this.inFlight -= 1;
    this.#requeue(queued);
  }

  /** Puts a delivery back, and starts no more of its account until `setLeaving` says otherwise. */
  holdAccount(queued: Queued): void {
    queued.endpoint.account.isLeaving = true;
    this.putBack(queued);
  }

  /** Tries a delivery again later; it needs no slot meanwhile. */
  defer(queued: Queued, delayMs: number): void {
    this.inFlight -= 1;
    setTimeout(() => this.#requeue(queued), delayMs).unref();
  }

  #requeue(queued: Queued): void {
    const { endpoint } = queued;
    (queued.isRetry ? endpoint.due : endpoint.fresh).unshift(queued);
    if (this.#endpoints.get(endpoint.id) === endpoint) this.#waiting += 1;
    endpoint.account.waiting.add(endpoint);
    this.#turns.count(endpoint, -1);
  }

  /** A delivery is cancelled instead of sent: it needs no slot until that is recorded. */
  cancel({ endpoint }: Queued): void {
    this.inFlight -= 1;
    this.#cancelling += 1;
    endpoint.account.cancelling += 1;
    this.#turns.count(endpoint, -1);
  }

  /** A delivery was recorded: its attempt took so long, or it was cancelled instead. */
  finish(
    { id, endpoint }: Queued,
    { tookMs = null, wasCancelled = false }: { tookMs?: number | null; wasCancelled?: boolean } = {},
  ): void {
    endpoint.unfinished.delete(id);
    endpoint.retrying.delete(id);
    if (wasCancelled) {
      this.#cancelling -= 1;
      endpoint.account.cancelling -= 1;
    } else {
      this.inFlight -= 1;
      if (tookMs !== null) setPace(endpoint, tookMs <= QUICK_MS ? "quick" : "slow");
      this.#turns.count(endpoint, -1);
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
    this.#turns.forgetPaceOfIdle(endpoint);
    this.#turns.place(endpoint.account);
  }

  /** Up to which delivery endpoints are done, where that is not saved yet. */
  progress(): { endpoint: EndpointQueue; doneTo: number }[] {
    return [...this.#endpoints.values()].flatMap((endpoint) => {
      const [first] = endpoint.unfinished;
      const doneTo = first === undefined ? endpoint.readTo : first - 1;
      return doneTo > endpoint.savedTo ? [{ endpoint, doneTo }] : [];
    });
  }
}
