import type { Context } from "../../platform/context.ts";
import type { Lane } from "./queue.ts";
import * as sql from "./statements.ts";

/** The accounts that a dispatcher has leased. */
export interface OwnAccounts {
  /**
   * Ends the lives of others that are dead, gives away accounts that another should have and takes those that nobody has.
   * Returns whether it has taken any.
   */
  renew(): Promise<boolean>;
  /** Whether there is an account among these that was not among those of the last second. */
  areNew(accountIds: ReadonlySet<number>): boolean;
  /** Ends the dispatcher's life; its accounts are free. */
  giveBack(): Promise<void>;
}

/**
 * A dispatcher is dead when it was not seen for 20 s, longer than an attempt may take, or when so many looks in a row find no
 * session that holds its lock.
 */
const UNHELD_LOOKS = 7;
const BETWEEN_LOOKS_MS = 900;

export function ownAccounts(
  context: Context,
  { dispatcherId, lanes }: { dispatcherId: number; lanes: readonly Lane[] },
): OwnAccounts {
  const { db, log } = context;
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  /** How often in a row no session held the lock of another. */
  let unheld = new Map<number, number>();
  let known = new Set<number>();
  let knownSinceMs = 0;
  /** A renewal failed: the database may have leases that are not in the lanes. */
  let isUnsure = false;
  let others: readonly number[] = [];

  /** Ends the lives of dead dispatchers. */
  const bury = async (): Promise<void> => {
    const isLook = performance.now() - lookedAtMs >= BETWEEN_LOOKS_MS;
    if (isLook) lookedAtMs = performance.now();
    const { rows } = await sql.listDispatchers.run(db.pool, { dispatcherId });
    const looks = new Map<number, number>();
    const suspects: number[] = [];
    for (const { id, isUnseen, isUnheld } of rows) {
      if (isUnheld) looks.set(id, (unheld.get(id) ?? 0) + (isLook ? 1 : 0));
      const isDead = isUnseen || (looks.get(id) ?? 0) >= UNHELD_LOOKS;
      if (id !== dispatcherId && isDead) suspects.push(id);
    }
    unheld = looks;
    const { rows: ended } =
      suspects.length > 0 ? await sql.endDead.run(db.pool, { dispatcherIds: suspects }) : { rows: [] };
    const dead = ended.map(({ id }) => id);
    others = rows.flatMap(({ id }) => (id === dispatcherId || dead.includes(id) ? [] : [id]));
    if (dead.length === 0) return;
    log.warn({ dispatchers: dead }, "A dispatcher has died; its accounts are taken over.");
    context.metrics.deliveries.inc({ outcome: "lease_over" }, dead.length);
  };

  const saveProgress = async (accountId?: number): Promise<void> => {
    const saved = lanes.flatMap((lane) => (lane.limits.isTest ? [] : lane.progress(accountId)));
    if (saved.length === 0) return;
    await sql.saveProgress.run(db.pool, {
      dispatcherId,
      endpointIds: saved.map(({ endpoint }) => endpoint.id),
      doneTo: saved.map(({ doneTo }) => doneTo),
    });
    for (const { endpoint, doneTo } of saved) endpoint.savedTo = doneTo;
  };

  /** Accounts are shared by their ids, so that all dispatchers agree without talking. */
  const share = () => {
    const rank = others.filter((id) => id < dispatcherId).length;
    return { rank, of: others.length + 1 };
  };

  const giveAway = async (): Promise<void> => {
    const { rank, of } = share();
    for (const lane of lanes) lane.leave((accountId) => accountId % of !== rank);
    const left = lanes.map((lane) => new Set(lane.left()));
    const accountIds = [...(left[0] ?? [])].filter((id) => left.every((ofLane) => ofLane.has(id)));
    if (accountIds.length === 0) return;
    await saveProgress();
    for (const lane of lanes) for (const id of accountIds) lane.dropAccount(id);
    await sql.releaseAccounts.run(db.pool, { dispatcherId, accountIds });
  };

  const take = async (): Promise<boolean> => {
    const { rows: taken } = await sql.takeAccounts.run(db.pool, { dispatcherId, ...share() });
    const { rows: leases } = isUnsure ? await sql.listLeases.run(db.pool, { dispatcherId }) : { rows: taken };
    const accountIds = leases.map(({ accountId }) => accountId);
    if (accountIds.length === 0) return false;
    const { rows: endpoints } = await sql.leasedEndpoints.run(db.pool, { accountIds });
    for (const lane of lanes) {
      for (const id of accountIds) lane.addAccount(id);
      for (const { id, accountId, doneTo } of endpoints) lane.addEndpoint(id, accountId, doneTo);
    }
    return true;
  };

  return {
    async renew() {
      try {
        await bury();
        await saveProgress();
        await giveAway();
        const hasMore = await take();
        isUnsure = false;
        return hasMore;
      } catch (error) {
        isUnsure = true;
        throw error;
      }
    },
    areNew(accountIds) {
      if (performance.now() - knownSinceMs >= BETWEEN_LOOKS_MS) {
        known = new Set();
        knownSinceMs = performance.now();
      }
      const fresh = accountIds.difference(known);
      known = known.union(accountIds);
      return fresh.size > 0;
    },
    async giveBack() {
      await saveProgress();
      await sql.endLife.run(db.pool, { dispatcherId });
    },
  };
}
