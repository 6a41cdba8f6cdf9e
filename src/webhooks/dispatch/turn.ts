import type pg from "pg";
import * as sql from "./statements.ts";

/** The lock is surely held for this long after the server last answered. */
const SURE_MS = 1_000;

/** Holds the lock until the transaction ends: nothing that decides about deliveries changes meanwhile. */
export interface Turn {
  /** Throws when the lock was lost, as after this process was suspended. */
  requireHeld(): Promise<void> | undefined;
}

/** Blocks until other dispatchers and changes that are being committed release the lock. */
export async function takeTurn(client: pg.ClientBase): Promise<Turn> {
  await sql.takeTurn.run(client);
  let heldAt = performance.now();
  const ask = async () => {
    // The lock was held when the query was sent; the answer may have waited long.
    while (performance.now() - heldAt > SURE_MS) {
      const askedAt = performance.now();
      await sql.ask.run(client);
      heldAt = askedAt;
    }
  };
  return { requireHeld: () => (performance.now() - heldAt > SURE_MS ? ask() : undefined) };
}
