import type { Database } from "../../platform/database/db.ts";
import { perDatabase } from "../../platform/database/per-database.ts";
import { ProblemError } from "../../platform/http/problem.ts";

interface Turns {
  waiting: number;
  last: Promise<unknown>;
}

/** More than anybody sends who does not mean harm; all of them are answered within a minute. */
const MOST_WAITING = 1_000;

const turnsOf = perDatabase((): Turns => ({ waiting: 0, last: Promise.resolve() }));

/**
 * Runs one piece of work of a process after the other. Removals change one list, so the database would let them wait
 * for each other anyway: each with a connection that customers' requests need. ProblemError unavailable when too many wait.
 */
export async function inTurn<T>(db: Database, work: () => Promise<T>): Promise<T> {
  const turns = turnsOf(db);
  if (turns.waiting >= MOST_WAITING) {
    throw new ProblemError("unavailable", "Many removal requests are being recorded. Try again shortly.");
  }
  turns.waiting += 1;
  const turn = turns.last.then(work).finally(() => {
    turns.waiting -= 1;
  });
  turns.last = turn.catch(() => {});
  return turn;
}
