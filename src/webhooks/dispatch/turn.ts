import type pg from "pg";
import * as sql from "./statements.ts";

/** How long after the server last answered the lock is surely still held. */
const SURE_MS = 1_000;

/** The right to read what decides about deliveries and to start sending them, until the transaction ends. */
export interface Turn {
  /** Throws where the turn is over, as after a long standstill of this process. */
  requireHeld(): Promise<void> | undefined;
}

/** Waits for the turns of other dispatchers, and for changes that are being committed, to be over. */
export async function takeTurn(client: pg.ClientBase): Promise<Turn> {
  await sql.takeTurn.run(client);
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
