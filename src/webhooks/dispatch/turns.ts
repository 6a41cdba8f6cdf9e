import type { AccountQueue, EndpointQueue, Limits, Pace } from "./queued.ts";

/**
 * Decides which endpoint sends next. Round-robin: the first delivery of every account comes before the second of any, so a
 * busy account blocks nobody; within an account the same holds for endpoints. Receivers that don't answer hold only a part
 * of their account's slots.
 */
export class Turns {
  readonly #limits: Limits;
  /** Accounts with a delivery that may start, by how many they have in flight. */
  readonly #byInFlight: Set<AccountQueue>[];

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#byInFlight = Array.from({ length: limits.perAccount }, () => new Set());
  }

  isEmpty(): boolean {
    return this.#byInFlight.every((accounts) => accounts.size === 0);
  }

  /** The endpoint whose delivery may start next; null when none may. */
  next(): EndpointQueue | null {
    for (const accounts of this.#byInFlight) for (const account of accounts) return this.#startable(account);
    return null;
  }

  /** Counts a delivery as in flight, or as ended. */
  count(endpoint: EndpointQueue, change: 1 | -1): void {
    endpoint.inFlight += change;
    endpoint.account.inFlight += change;
    if (endpoint.pace === "slow") endpoint.account.slowInFlight += change;
    this.forgetPaceOfIdle(endpoint);
    this.place(endpoint.account);
  }

  /** To be called whenever an endpoint may have become idle. */
  forgetPaceOfIdle(endpoint: EndpointQueue): void {
    if (endpoint.pace === "quick" && isIdle(endpoint)) endpoint.pace = "unknown";
  }

  /** Puts an account behind the others of its turn, if it has a delivery that may start. */
  place(account: AccountQueue): void {
    account.turn?.delete(account);
    account.turn = null;
    const turn = this.#byInFlight[account.inFlight];
    if (account.isLeaving || turn === undefined || this.#startable(account) === null) return;
    turn.add(account);
    account.turn = turn;
  }

  #startable({ waiting }: AccountQueue): EndpointQueue | null {
    let best: EndpointQueue | null = null;
    for (const endpoint of waiting) {
      if (endpoint.inFlight >= (best?.inFlight ?? this.#limits.perEndpoint)) continue;
      if (this.#mayStart(endpoint)) best = endpoint;
    }
    return best;
  }

  /** Whether the endpoint's pace allows one more. */
  #mayStart({ pace, inFlight, account }: EndpointQueue): boolean {
    if (pace === "unknown") return inFlight < this.#limits.toUnknown;
    return pace === "quick" || account.slowInFlight < this.#limits.toSlow;
  }
}

/** Whether nothing is in flight and nothing waits, here or in the database. */
const isIdle = ({ inFlight, fresh, due, mayHaveFresh, mayHaveDue }: EndpointQueue): boolean =>
  inFlight + fresh.length + due.length === 0 && !mayHaveFresh && !mayHaveDue;

export function setPace(endpoint: EndpointQueue, pace: Pace): void {
  const { account, inFlight } = endpoint;
  if (endpoint.pace === "slow") account.slowInFlight -= inFlight;
  if (pace === "slow") account.slowInFlight += inFlight;
  endpoint.pace = pace;
}
