import * as sql from "../../generated/sql/webhooks/dispatch.ts";
import type { Context } from "../../platform/context.ts";

/**
 * A dispatcher is presumed dead when its last heartbeat was 20 s ago, longer than an attempt may take, or when so many looks
 * in a row find that no session holds its lock.
 */
const FREE_LOCK_LOOKS = 7;
const BETWEEN_LOOKS_MS = 900;

/** The share of one dispatcher: the accounts whose id leaves the remainder `rank` when it is divided by `of`. */
export interface Share {
  rank: number;
  of: number;
}

/** The other registered dispatchers. */
export class Peers {
  readonly #context: Context;
  readonly #dispatcherId: number;
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  /** How many looks in a row found the lock of a dispatcher free. */
  #freeLooks = new Map<number, number>();
  #ids: readonly number[] = [];

  constructor(context: Context, dispatcherId: number) {
    this.#context = context;
    this.#dispatcherId = dispatcherId;
  }

  /** Reads which dispatchers are registered, and unregisters those that are presumed dead. */
  async refresh(): Promise<void> {
    const isLook = performance.now() - this.#lookedAtMs >= BETWEEN_LOOKS_MS;
    if (isLook) this.#lookedAtMs = performance.now();
    const rows = await sql.listDispatchers(this.#context.db.pool, { dispatcherId: this.#dispatcherId });
    const others = rows.filter(({ id }) => id !== this.#dispatcherId);
    const free = others.filter(({ isLockFree }) => isLockFree);
    this.#freeLooks = new Map(free.map(({ id }) => [id, (this.#freeLooks.get(id) ?? 0) + (isLook ? 1 : 0)]));
    const presumedDead = others
      .filter(({ id, isSilent }) => isSilent || (this.#freeLooks.get(id) ?? 0) >= FREE_LOCK_LOOKS)
      .map(({ id }) => id);
    const unregistered = await this.#unregister(presumedDead);
    this.#ids = others.map(({ id }) => id).filter((id) => !unregistered.has(id));
  }

  async #unregister(dispatcherIds: readonly number[]): Promise<ReadonlySet<number>> {
    const { db, log, metrics } = this.#context;
    if (dispatcherIds.length === 0) return new Set();
    const rows = await sql.unregisterDead(db.pool, { dispatcherIds });
    const dispatchers = rows.map(({ id }) => id);
    if (dispatchers.length > 0) {
      log.warn(
        { dispatchers },
        "Dispatchers without a heartbeat were unregistered. Others lease their accounts.",
      );
      metrics.deliveries.inc({ outcome: "lease_over" }, dispatchers.length);
    }
    return new Set(dispatchers);
  }

  /** Shares follow from the ids of accounts and dispatchers, so that all dispatchers agree without messages. */
  share(): Share {
    const rank = this.#ids.filter((id) => id < this.#dispatcherId).length;
    return { rank, of: this.#ids.length + 1 };
  }
}
