import type pg from "pg";

/** Forgets every event. Runs in the caller's transaction. */
export async function clearEvents(client: pg.ClientBase): Promise<void> {
  await client.query("DELETE FROM event");
  await client.query("DELETE FROM detection");
}
