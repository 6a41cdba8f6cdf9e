import type { Database } from "../../platform/database/db.ts";
import { perDatabase } from "../../platform/database/per-database.ts";
import { ProblemError } from "../../platform/http/problem.ts";

interface Queue {
  waiting: number;
  last: Promise<unknown>;
}

/** More than honest senders need; all of them are answered within a minute. */
const MOST_WAITING = 1_000;

const queueOf = perDatabase((): Queue => ({ waiting: 0, last: Promise.resolve() }));

/**
 * In-process mutex with a bounded queue. Requests change one list, so they would wait for each other in the database,
 * each with a connection that customers need. Throws ProblemError unavailable when the queue is full.
 */
export async function inTurn<T>(db: Database, work: () => Promise<T>): Promise<T> {
  const queue = queueOf(db);
  if (queue.waiting >= MOST_WAITING) {
    throw new ProblemError("unavailable", "Many removal requests are being recorded. Try again shortly.");
  }
  queue.waiting += 1;
  const turn = queue.last.then(work).finally(() => {
    queue.waiting -= 1;
  });
  queue.last = turn.catch(() => {});
  return turn;
}
