import * as sql from "../../generated/sql/webhooks/replay.ts";
import type { Queryable } from "../../platform/database/statement.ts";

/** What became of an event at an endpoint: the values of `include`. `missed`: it was never queued. */
export const REPLAY_KINDS = ["missed", "cancelled", "failed", "retrying", "delivered"] as const;
export type ReplayKind = (typeof REPLAY_KINDS)[number];
export const UNDELIVERED_KINDS = REPLAY_KINDS.filter((kind) => kind !== "delivered");

/** Counting reads the whole range at once. */
export const LONGEST_REPLAY_DAYS = 31;

/** Selects the events that a replay delivers to an endpoint. */
export interface AskedReplay {
  endpointId: number;
  /** With it, another account's endpoint is not found. Without it, as for operators, every endpoint is. */
  accountId?: number;
  /** Events detected at this time or later… */
  from: Date;
  /** …and before this time. */
  to: Date;
  /** Which events to send; all but the delivered ones unless given. */
  kinds?: readonly ReplayKind[];
  /** When the replay began; now unless given. An interrupted replay continues with it and sends nothing twice. */
  startedAt?: Date;
  /** Continues after this event id, where an earlier call ended. */
  after?: number;
}

/** A paused endpoint must be enabled first. */
export type ReplayRefusal = "not_found" | "paused";

/** Event ids above `before` and up to `last`. */
export interface IdRange {
  before: number;
  last: number;
}

/** The range of event ids that a replay covers, or why it is refused. */
export async function rangeOf(client: Queryable, asked: AskedReplay): Promise<IdRange | ReplayRefusal> {
  const { endpointId, accountId = null, from, to } = asked;
  const row = await sql.replayRange(client, { endpointId, accountId, from, to });
  if (row === undefined) return "not_found";
  const { active, before, last } = row;
  return active ? { before: Math.max(before, asked.after ?? 0), last } : "paused";
}

/** The last id of the next window of `eventsAtOnce` events. */
export async function lastOfWindow(
  client: Queryable,
  { before, last, eventsAtOnce }: IdRange & { eventsAtOnce: number },
): Promise<number> {
  const window = await sql.lastOfWindow(client, { before, last, most: eventsAtOnce });
  return window.last ?? last;
}
