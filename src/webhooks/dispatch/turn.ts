import type pg from "pg";

// The lock that no change of endpoint, secret, plan or removal list is committed without (see the migration
// webhook_sends). Should this process be stopped while it holds it, the server takes it back before those who wait give
// up. What a claim writes may be lost with the server's machine: the deliveries are queued then, as they were. The
// statement's good plan is known, made of nothing but ordered indexes, whatever statistics say of a queue that is long one
// minute and empty the next: with the plan for an empty one, each claim would sort all of it once for every endpoint.
const TAKE_TURN_SQL = `SELECT pg_advisory_xact_lock(72707372),
  set_config('idle_in_transaction_session_timeout', '3s', true), set_config('synchronous_commit', 'off', true),
  set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
  set_config('enable_sort', 'off', true), set_config('enable_incremental_sort', 'off', true),
  set_config('plan_cache_mode', 'force_generic_plan', true)`;

/** How long after the server last answered the lock is surely still held. */
const SURE_MS = 1_000;

/** The right to read what decides about deliveries and to start sending them, until the transaction ends. */
export interface Turn {
  /** Throws where the turn is over, as after a long standstill of this process. */
  requireHeld(): Promise<void> | undefined;
}

/** Waits for the turns of other dispatchers, and for changes that are being committed, to be over. */
export async function takeTurn(client: pg.ClientBase): Promise<Turn> {
  await client.query(TAKE_TURN_SQL);
  let heldAt = performance.now();
  const ask = async () => {
    // Known from the question on: the answer may have been waiting for long.
    while (performance.now() - heldAt > SURE_MS) {
      const askedAt = performance.now();
      await client.query("SELECT");
      heldAt = askedAt;
    }
  };
  return { requireHeld: () => (performance.now() - heldAt > SURE_MS ? ask() : undefined) };
}
