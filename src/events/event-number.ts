import type pg from "pg";

/**
 * A number of the events' own sequence, for something that looks like an event and is none: no event ever has it.
 * Numbers may be missing among the events, so nobody notices.
 */
export async function takeEventNumber(client: Pick<pg.ClientBase, "query">): Promise<number> {
  const { rows } = await client.query<{ number: number }>("SELECT nextval('event_id_seq') AS number");
  return (rows[0] as { number: number }).number;
}
