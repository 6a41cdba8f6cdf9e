import type { Caller } from "../accounts/keys/caller.ts";
import { chargeRows } from "../accounts/usage/quota.ts";
import { countServedRows } from "../accounts/usage/served-rows.ts";
import type { Context } from "../platform/context.ts";
import { ProblemError } from "../platform/http/problem.ts";
import { type EventOut, eventOut } from "./event-row.ts";
import { planScope, scopeParameter } from "./scope.ts";
import * as sql from "./statements.ts";

/** One event that the plan includes, charged as a row. ProblemError not_found, whatever the reason; quota_exceeded. */
export async function readEvent(context: Context, caller: Caller, eventId: number): Promise<EventOut> {
  const scope = scopeParameter(planScope(caller));
  const { rows } = await sql.readOne.run(context.db.pool, { eventId, scope });
  if (rows[0] === undefined) throw new ProblemError("not_found", "Your plan includes no event of this id.");
  await chargeRows(context, caller, "api", 1);
  countServedRows(context, caller, { feed: "events", form: "json" }, 1);
  return eventOut(rows[0]);
}
