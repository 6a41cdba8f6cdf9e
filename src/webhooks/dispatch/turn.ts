import type pg from "pg";

// Advisory lock 72707372. The triggers of migration webhook_sends take it too, for every change of endpoint, secret, plan
// or removal list. If this process is suspended while it holds the lock, the server ends the transaction after 3 s.
// Without synchronous commit a crash of the server may lose a claim: its deliveries are then queued as before.
// The planner settings force a plan of ordered index scans. Statistics of a queue that is long one minute and empty the
// next mislead the planner: its plan for an empty queue sorts all of it once per endpoint.
const TAKE_TURN_SQL = `SELECT pg_advisory_xact_lock(72707372),
  set_config('idle_in_transaction_session_timeout', '3s', true), set_config('synchronous_commit', 'off', true),
  set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
  set_config('enable_sort', 'off', true), set_config('enable_incremental_sort', 'off', true),
  set_config('plan_cache_mode', 'force_generic_plan', true)`;

/** The lock is surely held for this long after the server last answered. */
const SURE_MS = 1_000;

/** Holds the lock until the transaction ends: nothing that decides about deliveries changes meanwhile. */
export interface Turn {
  /** Throws when the lock was lost, as after this process was suspended. */
  requireHeld(): Promise<void> | undefined;
}

/** Blocks until other dispatchers and changes that are being committed release the lock. */
export async function takeTurn(client: pg.ClientBase): Promise<Turn> {
  await client.query(TAKE_TURN_SQL);
  let heldAt = performance.now();
  const ask = async () => {
    // The lock was held when the query was sent; the answer may have waited long.
    while (performance.now() - heldAt > SURE_MS) {
      const askedAt = performance.now();
      await client.query("SELECT");
      heldAt = askedAt;
    }
  };
  return { requireHeld: () => (performance.now() - heldAt > SURE_MS ? ask() : undefined) };
}
