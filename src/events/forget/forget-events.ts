import type pg from "pg";
import * as sql from "./statements.ts";

export interface ForgottenEvents {
  /** Events detected before this time… */
  before: Date;
  /** …with an id of at most this, */
  upTo: number;
  /** and at most so many of them, the oldest. */
  most: number;
}

/**
 * Deletes old events with their deliveries. Returns how many. A reader whose position is before them is told so. An
 * event that is deleted is not detected again, as long as detection looks back less far than `before`.
 */
export async function forgetEvents(client: pg.ClientBase, forgotten: ForgottenEvents): Promise<number> {
  const { rows } = await sql.forgetEvents.run(client as pg.PoolClient, { ...forgotten });
  return rows[0]?.deleted ?? 0;
}
