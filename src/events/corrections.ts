import type { Caller } from "../accounts/keys/caller.ts";
import * as sql from "../generated/sql/events.ts";
import type { components } from "../generated/types.ts";
import { DAY_MS } from "../platform/clock.ts";
import type { Context } from "../platform/context.ts";
import { InvalidRequestError } from "../platform/http/invalid-request.ts";
import { cursorAt, positionOf } from "./cursor.ts";
import { eventOut } from "./event-row.ts";
import { type EventsQuery, resolveQuery } from "./query.ts";
import { DEFAULT_SINCE_DAYS, FOREIGN_CURSOR } from "./read.ts";
import { scopeParameter } from "./scope.ts";

type CorrectionOut = components["schemas"]["CorrectionOut"];

/**
 * One page of the corrections of events that the plan includes and the query asks for, ascending by id. They are free, and
 * served however old the registry is: what was told wrongly is taken back in any case. A cursor overrides `since`. Throws
 * InvalidRequestError for an invalid query; ProblemError not_entitled.
 */
export async function readCorrections(
  context: Context,
  caller: Caller,
  query: EventsQuery,
): Promise<components["schemas"]["CorrectionsOut"]> {
  const { scope, sinceMs } = resolveQuery(caller, query);
  const start = await sql.correctionPosition(context.db.pool, {
    sinceMs: sinceMs ?? context.clock.now().getTime() - DEFAULT_SINCE_DAYS * DAY_MS,
  });
  if (start === undefined) throw new Error("The database has no row in installation");
  const owner = { instanceId: start.instanceId, accountId: caller.accountId };
  const position = query.cursor === undefined ? start.sincePosition : positionOf(owner, query.cursor, "co1");
  // A cursor ahead of every id comes from before the database was restored to an older state.
  if (position === null || position > start.lastId) throw new InvalidRequestError([FOREIGN_CURSOR]);
  const rows = await sql.readCorrections(context.db.pool, {
    position,
    most: query.limit + 1,
    scope: scopeParameter(context, caller, scope),
  });
  const page = rows.slice(0, query.limit);
  const hasMore = rows.length > page.length;
  const lastId = page.at(-1)?.correction_id ?? position;
  const resumeAt = hasMore ? lastId : Math.max(lastId, start.newestId);
  const resumeCursor = cursorAt(owner, resumeAt, "co1");
  return {
    data: page.map(correctionOut),
    next_cursor: hasMore ? resumeCursor : null,
    meta: { types: [...scope.keys()], resume_cursor: resumeCursor },
  };
}

const correctionOut = ({
  correction_id,
  kind,
  corrected_at,
  ...event
}: sql.ReadCorrectionsRow): CorrectionOut => ({
  id: correction_id,
  correction: kind,
  corrected_at: corrected_at.toISOString(),
  event: eventOut(event),
});
