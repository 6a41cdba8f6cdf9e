import type pg from "pg";
import * as sql from "./statements.ts";

/** How many authorities two files of Motus both have, and on how many of these the files contradict each other. */
export interface Contradictions {
  shared: number;
  contradicting: number;
}

/**
 * Compares the statuses of Motus Carrier, which has no dates, with the newest row of AuthHist on each authority. Files
 * of one day agree nearly everywhere. If they do not, one of them is old.
 */
export async function countContradictions(client: pg.ClientBase, asOf: string): Promise<Contradictions> {
  const { rows } = await sql.countContradictions.run(client, { asOf });
  return rows[0] ?? { shared: 0, contradicting: 0 };
}
