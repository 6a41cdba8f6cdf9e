import type { Context } from "../../platform/context.ts";
import { loadSql } from "../../platform/database/sql.ts";
import type { Caller } from "./caller.ts";

/** Stands where a key's identifier would: what the account's people read in the dashboard. */
const DASHBOARD_KEY_ID = "dashboard";

interface AccountRow {
  account_id: number;
  licence_ref: string;
  plan_code: string;
  plan_name: string;
  api_access: boolean;
  requests_per_minute: number;
  rows_per_month: number;
  concurrent_exports: number;
  feeds: Record<string, string[] | null> | null;
}

const ACCOUNT_SQL = loadSql(import.meta.url, "account-caller.sql");

/** The account as a caller, without a key: its plan as it is now, and the plan's name. */
export async function callerOfAccount(
  context: Context,
  accountId: number,
): Promise<Caller & { planName: string }> {
  const { rows } = await context.db.pool.query<AccountRow>(ACCOUNT_SQL, [accountId]);
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
  };
}
