import type { Context } from "../../platform/context.ts";
import { CARRIED_TYPES } from "../endpoints/carried-types.ts";
import { type AskedReplay, type IdRange, lastOfWindow, type ReplayRefusal, rangeOf } from "./replay-range.ts";
import * as sql from "./statements.ts";

/** The most events one transaction looks at: dispatchers wait for it to let go of the endpoint. */
const EVENTS_AT_ONCE = 5_000;

/** What a replay would queue, by how the deliveries stand. */
export interface ReplayCount {
  /** All of them. */
  deliveries: number;
  never_queued: number;
  cancelled: number;
  failed: number;
  retrying: number;
  delivered: number;
  started_at: string;
}

/** How many deliveries a replay would queue; changes nothing. */
export async function countReplay(
  context: Context,
  asked: AskedReplay,
): Promise<ReplayCount | ReplayRefusal> {
  const startedAt = asked.startedAt ?? context.clock.now();
  const range = await rangeOf(context.db.bulkPool, asked);
  if (typeof range === "string") return range;
  const { rows } = await sql.countReplay.run(context.db.bulkPool, parametersOf(asked, range, startedAt));
  const countOf = (kind: string) => rows.find((row) => row.kind === kind)?.count ?? 0;
  return {
    deliveries: rows.reduce((sum, row) => sum + row.count, 0),
    never_queued: countOf("never_queued"),
    cancelled: countOf("cancelled"),
    failed: countOf("failed"),
    retrying: countOf("retrying"),
    delivered: countOf("delivered"),
    started_at: startedAt.toISOString(),
  };
}

/**
 * Queues the deliveries that countReplay counts, some thousand events at a time, each in a transaction of its own. One
 * that was interrupted goes on when it is asked for again with the same beginning. Gives how many were queued and,
 * where it ended early because of `mostSteps`, what the next go goes on with. An endpoint that is paused meanwhile gets
 * no more.
 */
export async function replay(
  context: Context,
  asked: AskedReplay,
  {
    onProgress = () => {},
    eventsAtOnce = EVENTS_AT_ONCE,
    mostSteps = Number.POSITIVE_INFINITY,
  }: ReplayOptions = {},
): Promise<Replayed | ReplayRefusal> {
  const startedAt = asked.startedAt ?? context.clock.now();
  const range = await rangeOf(context.db.pool, asked);
  if (typeof range === "string") return range;
  let queued = 0;
  let { before } = range;
  for (let steps = 0; before < range.last; steps += 1) {
    if (steps === mostSteps) return { queued, rest: { startedAt: startedAt.toISOString(), after: before } };
    const now = context.clock.now();
    const step = await context.db.transaction(async (client) => {
      // Whoever pauses the endpoint waits, and then finds what is queued here.
      const { rowCount } = await sql.lockActive.run(client, { endpointId: asked.endpointId });
      if (rowCount === 0) return null;
      const last = await lastOfWindow(client, { before, last: range.last, eventsAtOnce });
      const parameters = parametersOf(asked, { before, last }, startedAt);
      const { rows } = await sql.replay.run(client, { ...parameters, now });
      return { last, queued: rows[0]?.queued ?? 0 };
    });
    if (step === null) return "paused";
    before = step.last;
    queued += step.queued;
    onProgress(queued);
  }
  return { queued };
}

/** What a replay has queued. */
export interface Replayed {
  queued: number;
  /** What is left, as the next go is asked for; absent when nothing is. */
  rest?: { startedAt: string; after: number };
}

interface ReplayOptions {
  /** Called after every transaction with how many deliveries are queued by now. */
  onProgress?: (queued: number) => void;
  eventsAtOnce?: number;
  /** The most transactions in one go. */
  mostSteps?: number;
}

const parametersOf = (
  { endpointId, from, to, includesDelivered = false }: AskedReplay,
  { before, last }: IdRange,
  startedAt: Date,
): sql.CountReplayParams => ({
  endpointId,
  carriedTypes: CARRIED_TYPES,
  before,
  last,
  from,
  to,
  startedAt,
  includesDelivered,
});
