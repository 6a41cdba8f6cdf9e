import * as sql from "../../generated/sql/webhooks/endpoints.ts";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import { ProblemError } from "../../platform/http/problem.ts";
import { mostIn } from "../../platform/test-situation.ts";

/** How many active endpoints an account may have. */
export const ACTIVE_ENDPOINTS_LIMIT = 20;

/** Whether an account may have one more active endpoint. Only certain while the account is locked. */
export async function mayAddEndpoint(
  context: Pick<Context, "situation">,
  db: Queryable,
  accountId: number,
): Promise<boolean> {
  const { count } = await sql.countActive(db, { accountId });
  return count < mostIn(context, ACTIVE_ENDPOINTS_LIMIT);
}

/** The problem of an account that has as many active endpoints as it may. */
export const endpointLimitReached = (): ProblemError =>
  new ProblemError(
    "endpoint_limit_reached",
    `Your account has ${ACTIVE_ENDPOINTS_LIMIT} active webhook endpoints, which is the limit. Pause one first.`,
  );
