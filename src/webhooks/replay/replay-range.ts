import type { Queryable } from "../../platform/database/statement.ts";
import * as sql from "./statements.ts";

/** Which events are to be delivered to an endpoint once more, or at last. */
export interface AskedReplay {
  endpointId: number;
  /** Another account's endpoint is not found; absent: an operator means any. */
  accountId?: number;
  /** Events detected from here on… */
  from: Date;
  /** …up to here, exclusive. */
  to: Date;
  /** Delivered ones too; else only what was never queued, was cancelled, failed or waits for a retry. */
  includesDelivered?: boolean;
  /** When the replay began, so that one that was interrupted can go on without sending anything twice; else now. */
  startedAt?: Date;
  /** Goes on behind this event: what an earlier go has left. */
  after?: number;
}

/** A paused endpoint is not sent to; it has to be enabled first. */
export type ReplayRefusal = "not_found" | "paused";

/** Event ids: behind `before`, up to `last`. */
export interface IdRange {
  before: number;
  last: number;
}

/** The ids that a replay goes through, or why there is none. */
export async function rangeOf(client: Queryable, asked: AskedReplay): Promise<IdRange | ReplayRefusal> {
  const { endpointId, accountId = null, from, to } = asked;
  const { rows } = await sql.replayRange.run(client, { endpointId, accountId, from, to });
  if (rows[0] === undefined) return "not_found";
  const { active, before, last } = rows[0];
  return active ? { before: Math.max(before, asked.after ?? 0), last } : "paused";
}

/** The end of the next window: so many events, or what is left of them. */
export async function lastOfWindow(
  client: Queryable,
  { before, last, eventsAtOnce }: IdRange & { eventsAtOnce: number },
): Promise<number> {
  const { rows } = await sql.lastOfWindow.run(client, { before, last, most: eventsAtOnce });
  return rows[0]?.last ?? last;
}
