import { CARRIED_TYPES } from "../../events/event-types.ts";
import * as sql from "../../generated/sql/webhooks/replay.ts";
import { DAY_MS } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import {
  type AskedReplay,
  type IdRange,
  lastOfWindow,
  type ReplayKind,
  type ReplayRefusal,
  rangeOf,
  UNDELIVERED_KINDS,
} from "./replay-range.ts";

/** Events per transaction: dispatchers block on its lock of the endpoint. */
const EVENTS_AT_ONCE = 5_000;

/** How many deliveries a replay would queue, by their present state. */
export interface ReplayCount {
  /** The sum of the counts. */
  deliveries: number;
  counts: Record<ReplayKind, number>;
  started_at: string;
}

/** How many deliveries a replay would queue; changes nothing. */
export async function countReplay(
  context: Context,
  wanted: AskedReplay,
): Promise<ReplayCount | ReplayRefusal> {
  const asked = withinRetention(context, wanted);
  const startedAt = asked.startedAt ?? context.clock.now();
  const range = await rangeOf(context.db.bulkPool, asked);
  if (typeof range === "string") return range;
  const rows = await sql.countReplay(context.db.bulkPool, parametersOf(asked, range, startedAt));
  const counts = { missed: 0, cancelled: 0, failed: 0, retrying: 0, delivered: 0 };
  for (const { kind, count } of rows) counts[kind] = count;
  return {
    deliveries: rows.reduce((sum, row) => sum + row.count, 0),
    counts,
    started_at: startedAt.toISOString(),
  };
}

/**
 * Queues the deliveries that countReplay counts, some thousand events per transaction. An interrupted replay continues when
 * it is called again with the same `startedAt`. Gives how many it queued and, when `mostSteps` ended it early, where the
 * next call continues. It stops when the endpoint is paused meanwhile.
 */
export async function replay(
  context: Context,
  wanted: AskedReplay,
  {
    onProgress = () => {},
    eventsAtOnce = EVENTS_AT_ONCE,
    mostSteps = Number.POSITIVE_INFINITY,
  }: ReplayOptions = {},
): Promise<Replayed | ReplayRefusal> {
  const asked = withinRetention(context, wanted);
  const startedAt = asked.startedAt ?? context.clock.now();
  const range = await rangeOf(context.db.pool, asked);
  if (typeof range === "string") return range;
  let queued = 0;
  let { before } = range;
  for (let steps = 0; before < range.last; steps += 1) {
    if (steps === mostSteps) return { queued, rest: { startedAt: startedAt.toISOString(), after: before } };
    const now = context.clock.now();
    const step = await context.db.transaction(async (client) => {
      // A pause of the endpoint blocks on this lock and then cancels the deliveries queued here.
      const rowCount = await sql.lockActive(client, { endpointId: asked.endpointId });
      if (rowCount === 0) return null;
      await sql.lockFanOut(client);
      const last = await lastOfWindow(client, { before, last: range.last, eventsAtOnce });
      const parameters = parametersOf(asked, { before, last }, startedAt);
      return { last, ...(await sql.replay(client, { ...parameters, now })) };
    });
    if (step === null) return "paused";
    before = step.last;
    queued += step.queued;
    onProgress(queued);
  }
  return { queued };
}

/** An event whose delivery is no longer kept may have been delivered: only a replay of delivered events sends it. */
function withinRetention({ clock, config }: Context, asked: AskedReplay): AskedReplay {
  if (asked.kinds?.includes("delivered")) return asked;
  const keptSinceMs = clock.now().getTime() - config.retentionDays.deliveries * DAY_MS;
  return { ...asked, from: new Date(Math.max(asked.from.getTime(), keptSinceMs)) };
}

/** The result of a replay. */
export interface Replayed {
  queued: number;
  /** Where the next call continues; absent when the replay is complete. */
  rest?: { startedAt: string; after: number };
}

interface ReplayOptions {
  /** Called after every transaction with the number of deliveries queued so far. */
  onProgress?: (queued: number) => void;
  eventsAtOnce?: number;
  /** Most transactions in one call. */
  mostSteps?: number;
}

const parametersOf = (
  { endpointId, from, to, kinds = UNDELIVERED_KINDS }: AskedReplay,
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
  kinds: [...kinds],
});
