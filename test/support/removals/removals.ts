import type pg from "pg";
import type { Database } from "../../../src/platform/context.ts";

type Writer = Pick<Database, "transaction">;

/** Puts businesses on the removal list, as one request does. */
export const removeBusinesses = (db: Writer, usdots: readonly number[], now = new Date()): Promise<void> =>
  changeList(
    db,
    `INSERT INTO suppressed_business (usdot, request_id, suppressed_at)
     SELECT usdot, 1, $2 FROM unnest($1::int[]) AS usdot ON CONFLICT DO NOTHING`,
    [usdots, now],
  );

/** Takes these businesses off the removal list, or all of them. */
export const undoRemovals = (db: Writer, usdots: readonly number[] | null = null): Promise<void> =>
  changeList(db, "DELETE FROM suppressed_business WHERE $1::int[] IS NULL OR usdot = ANY ($1)", [usdots]);

/** Blanks phones and e-mails in every record. */
export const blankContacts = (db: Writer, contacts: readonly string[], now: Date): Promise<void> =>
  changeList(
    db,
    `INSERT INTO blanked_contact (value, request_id, blanked_at)
     SELECT value, 1, $2 FROM unnest($1::text[]) AS value ON CONFLICT DO NOTHING`,
    [contacts, now],
  );

/** Shows all of them again. */
export const unblankContacts = (db: Writer): Promise<void> =>
  changeList(db, "DELETE FROM blanked_contact", []);

function changeList(db: Writer, statement: string, values: unknown[]): Promise<void> {
  return db.transaction(async (client: pg.ClientBase) => {
    await client.query(statement, values);
    await renumberList(client, 1);
  });
}

/** Counts a change of the list, which another statement of the transaction makes; by 0 as a restored backup does. */
export async function renumberList(client: Pick<pg.ClientBase, "query">, by: number): Promise<void> {
  await client.query("UPDATE suppression_state SET number = number + $1", [by]);
}
