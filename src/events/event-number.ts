import type pg from "pg";

/** Reserves an event id for a test delivery: no event will have it. Gaps between the ids of events are normal. */
export async function takeEventNumber(client: Pick<pg.ClientBase, "query">): Promise<number> {
  const { rows } = await client.query<{ number: number }>("SELECT nextval('event_id_seq') AS number");
  return (rows[0] as { number: number }).number;
}
