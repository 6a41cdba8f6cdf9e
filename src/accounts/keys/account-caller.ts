import type { Context } from "../../platform/context.ts";
import type { Caller } from "./caller.ts";
import * as sql from "./statements.ts";

/** The key identifier of reads in the dashboard, which need no key. */
export const DASHBOARD_KEY_ID = "dashboard";

/** The account as a caller without a key, with its current plan and the plan's name. */
export async function callerOfAccount(
  context: Context,
  accountId: number,
): Promise<Caller & { planName: string }> {
  const { rows } = await sql.accountCaller.run(context.db.pool, { accountId });
  const [row] = rows;
  if (!row) throw new Error(`There is no account ${accountId}`);
  return {
    accountId: row.account_id,
    keyId: DASHBOARD_KEY_ID,
    planCode: row.plan_code,
    planName: row.plan_name,
    licenceRef: row.licence_ref,
    hasApiAccess: row.api_access,
    requestsPerMinute: row.requests_per_minute,
    rowsPerMonth: row.rows_per_month,
    concurrentExports: row.concurrent_exports,
    feeds: new Map(Object.entries(row.feeds ?? {})),
    feedsNumber: row.feeds_number,
  };
}
