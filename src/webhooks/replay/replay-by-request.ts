import type { components } from "../../generated/types.ts";
import { DAY_MS } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import { openCursor, sealCursor } from "../../platform/http/cursor.ts";
import {
  type Fault,
  InvalidRequestError,
  invalidTime,
  unknownCursor,
} from "../../platform/http/invalid-request.ts";
import { instantMs } from "../../platform/rfc3339.ts";
import { cursorOwner, endpointPaused, noSuchEndpoint } from "../endpoints/endpoints.ts";
import { countReplay, replay } from "./replay.ts";
import { type AskedReplay, LONGEST_REPLAY_DAYS, type ReplayRefusal } from "./replay-range.ts";

type ReplayIn = components["schemas"]["ReplayIn"];
type ReplayOut = components["schemas"]["ReplayOut"];

/**
 * Counts the deliveries of a replay, or queues the next of them and gives where the next request continues.
 * InvalidRequestError; ProblemError not_found, endpoint_paused.
 */
export async function replayByRequest(
  context: Context,
  accountId: number,
  endpointId: number,
  body: ReplayIn,
): Promise<ReplayOut> {
  const owner = await cursorOwner(context, accountId, endpointId);
  const asked = { ...askedBy(owner, body), endpointId, accountId };
  if (body.dry_run ?? true) {
    const { deliveries, counts } = accepted(await countReplay(context, asked), endpointId);
    return { endpoint_id: endpointId, dry_run: true, deliveries, counts, next_cursor: null };
  }
  const startedAt = asked.startedAt ?? context.clock.now();
  // With an idempotency key, all of a request is one transaction. Longer ones would hold up dispatchers.
  const replayed = await replay(context, { ...asked, startedAt }, { mostSteps: 1 });
  const { queued, rest } = accepted(replayed, endpointId);
  const next = rest === undefined ? null : cursorOf(owner, { startedAt, after: rest.after });
  return { endpoint_id: endpointId, dry_run: false, deliveries: queued, next_cursor: next };
}

function askedBy(
  owner: string,
  { from, to, include, cursor }: ReplayIn,
): Omit<AskedReplay, "endpointId" | "accountId"> {
  const [fromMs, toMs] = [instantMs(from), instantMs(to)];
  const position = cursor === undefined ? {} : positionOf(owner, cursor);
  const faults: Fault[] = [];
  if (fromMs === null) faults.push(invalidTime("body", "from"));
  if (toMs === null) faults.push(invalidTime("body", "to"));
  const lengthMs = (toMs ?? 0) - (fromMs ?? 0);
  if (faults.length === 0 && (lengthMs <= 0 || lengthMs > LONGEST_REPLAY_DAYS * DAY_MS)) {
    const msg = `must be after from, by at most ${LONGEST_REPLAY_DAYS} days`;
    faults.push({ loc: ["body", "to"], msg, type: "range" });
  }
  if (position === null) {
    faults.push(
      unknownCursor("must be next_cursor of an earlier answer to this request", ["body", "cursor"]),
    );
  }
  if (fromMs === null || toMs === null || position === null || faults.length > 0) {
    throw new InvalidRequestError(faults);
  }
  return { from: new Date(fromMs), to: new Date(toMs), ...(include && { kinds: include }), ...position };
}

function accepted<Result extends object>(result: Result | ReplayRefusal, endpointId: number): Result {
  if (result === "not_found") throw noSuchEndpoint();
  if (result === "paused") throw endpointPaused(endpointId);
  return result;
}

/** Where a replay continues: when it began, and the last event that it has passed. */
interface Position {
  startedAt: Date;
  after: number;
}

const CURSOR_FORM = "rp1";

const cursorOf = (owner: string, { startedAt, after }: Position): string =>
  sealCursor(CURSOR_FORM, owner, [startedAt.getTime(), after]);

function positionOf(owner: string, cursor: string): Position | null {
  const [startedMs, after] = openCursor(CURSOR_FORM, owner, cursor) ?? [];
  if (startedMs === undefined || after === undefined) return null;
  return { startedAt: new Date(Number(startedMs)), after: Number(after) };
}
