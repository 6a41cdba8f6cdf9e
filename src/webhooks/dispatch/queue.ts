import type { AccountQueue, EndpointQueue, Limits, Queued } from "./queued.ts";

/** An endpoint's queue is filled up when fewer than so many wait in it… */
const FEW_WAITING = 10;
/** …as long as no more than this wait in all. */
const MOST_WAITING = 4_000;
/** An attempt that takes longer shows a slow endpoint. */
const QUICK_MS = 1_000;
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
    const account = {
      id: accountId,
      inFlight: 0,
      slowInFlight: 0,
      cancelling: 0,
      isLeaving: false,
      turn: null,
    };
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
    if (endpoint.pace === "slow") endpoint.account.slowInFlight += change;
    if (endpoint.pace === "quick" && isIdle(endpoint)) endpoint.pace = "unknown";
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
      if (this.#mayStart(endpoint)) best = endpoint;
    }
    return best;
  }

  /** Whether the endpoint's pace allows one more: receivers that don't answer hold only a part of their account's slots. */
  #mayStart({ pace, inFlight, account }: EndpointQueue): boolean {
    if (pace === "unknown") return inFlight < this.limits.toUnknown;
    return pace === "quick" || account.slowInFlight < this.limits.toSlow;
  }
}

/** Whether nothing is in flight and nothing waits, here or in the database. */
const isIdle = ({ inFlight, fresh, due, mayHaveFresh, mayHaveDue }: EndpointQueue): boolean =>
  inFlight + fresh.length + due.length === 0 && !mayHaveFresh && !mayHaveDue;

function setPace(endpoint: EndpointQueue, pace: EndpointQueue["pace"]): void {
  const { account, inFlight } = endpoint;
  if (endpoint.pace === "slow") account.slowInFlight -= inFlight;
  if (pace === "slow") account.slowInFlight += inFlight;
  endpoint.pace = pace;
}
