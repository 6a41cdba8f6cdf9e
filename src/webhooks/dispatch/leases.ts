import * as sql from "../../generated/sql/webhooks/dispatch.ts";
import type { Context } from "../../platform/context.ts";
import type { Bell } from "./loop.ts";
import type { Peers } from "./peers.ts";
import type { Queues } from "./queues.ts";

const RENEW_MS = 1_000;
/** An account that another dispatcher has is asked for this rarely. */
const ASK_AGAIN_MS = 900;

interface LeasesParts {
  dispatcherId: number;
  queues: Queues;
  peers: Peers;
  bells: Record<"lease" | "find" | "send", Bell>;
}

/** The accounts that a dispatcher has leased: only it sends their deliveries. Leasing puts an account into the queues. */
export class Leases {
  readonly #db: Context["db"];
  readonly #parts: LeasesParts;
  /** Accounts that were asked for lately. */
  #asked: ReadonlySet<number> = new Set();
  #askedSinceMs = 0;
  /** A step failed: the database may have leases that are not in the queues. */
  #mayLackLeases = false;

  constructor({ db }: Context, parts: LeasesParts) {
    this.#db = db;
    this.#parts = parts;
  }

  /** Leases free accounts soon if these have some that were not asked for lately. */
  ask(accountIds: ReadonlySet<number>): void {
    if (performance.now() - this.#askedSinceMs >= ASK_AGAIN_MS) {
      this.#asked = new Set();
      this.#askedSinceMs = performance.now();
    }
    const isNew = !accountIds.isSubsetOf(this.#asked);
    this.#asked = this.#asked.union(accountIds);
    if (isNew) this.#parts.bells.lease.ring();
  }

  /**
   * Unregisters dead peers, then balances: releases accounts that are in the share of another, and leases free ones of its
   * own share. Returns how long to wait for the next time.
   */
  async step(): Promise<number> {
    const { peers, bells } = this.#parts;
    try {
      await peers.refresh();
      await this.#saveProgress();
      await this.#releaseOthersShare();
      if (await this.#leaseOwnShare()) bells.find.ring();
      this.#mayLackLeases = false;
    } catch (error) {
      this.#mayLackLeases = true;
      throw error;
    }
    bells.send.ring();
    return RENEW_MS;
  }

  /** Unregisters the dispatcher; its accounts are free. */
  async unregister(): Promise<void> {
    await this.#saveProgress();
    await sql.unregister(this.#db.pool, { dispatcherId: this.#parts.dispatcherId });
  }

  async #saveProgress(): Promise<void> {
    const { dispatcherId, queues } = this.#parts;
    const saved = queues.events.progress();
    if (saved.length === 0) return;
    await sql.saveProgress(this.#db.pool, {
      dispatcherId,
      endpointIds: saved.map(({ endpoint }) => endpoint.id),
      doneTo: saved.map(({ doneTo }) => doneTo),
    });
    for (const { endpoint, doneTo } of saved) endpoint.savedTo = doneTo;
  }

  /** Accounts leave once nothing of them is in flight. Suspended ones leave too. */
  async #releaseOthersShare(): Promise<void> {
    const { dispatcherId, queues, peers } = this.#parts;
    const { rank, of } = peers.share();
    const suspended = new Set((await sql.suspendedAccounts(this.#db.pool)).map(({ id }) => id));
    for (const queue of queues.all)
      queue.setLeaving((accountId) => accountId % of !== rank || suspended.has(accountId));
    const ready = new Set(queues.tests.readyToLeave());
    const accountIds = queues.events.readyToLeave().filter((id) => ready.has(id));
    if (accountIds.length === 0) return;
    await this.#saveProgress();
    for (const queue of queues.all) for (const id of accountIds) queue.dropAccount(id);
    await sql.releaseAccounts(this.#db.pool, { dispatcherId, accountIds });
  }

  /** Returns whether it leased an account. */
  async #leaseOwnShare(): Promise<boolean> {
    const { dispatcherId, queues, peers } = this.#parts;
    const leased = await sql.leaseAccounts(this.#db.pool, { dispatcherId, ...peers.share() });
    const rows = this.#mayLackLeases ? await sql.listLeases(this.#db.pool, { dispatcherId }) : leased;
    const accountIds = rows.map(({ accountId }) => accountId);
    if (accountIds.length === 0) return false;
    const endpoints = await sql.leasedEndpoints(this.#db.pool, { accountIds });
    for (const queue of queues.all) {
      for (const id of accountIds) queue.addAccount(id);
      for (const { id, accountId, ...known } of endpoints) queue.addEndpoint(id, accountId, known);
    }
    return true;
  }
}
