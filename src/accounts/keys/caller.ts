import * as sql from "../../generated/sql/accounts/keys.ts";
import type { Context } from "../../platform/context.ts";
import { ProblemError } from "../../platform/http/problem.ts";
import type { Person } from "../people/account-log.ts";
import { FULL_GRANT, type Grant } from "./grant.ts";

/** The sender of a request and the limits of the account's plan. Read again for every request. */
export interface Caller {
  accountId: number;
  keyId: string;
  /** The person who uses the dashboard; absent for a program with a key. */
  person?: Person | undefined;
  planCode: string;
  /** Printed in every CSV export of the account. */
  licenceRef: string;
  /** Why the account is suspended; null when it is not. */
  suspension: string | null;
  hasApiAccess: boolean;
  requestsPerMinute: number;
  rowsPerMonth: number;
  /** Exports that a key may run at once. */
  concurrentExports: number;
  /** Carriers that the account may have on its watchlists. */
  watchedCarriers: number;
  /** Feeds of the plan → regions (sorted state codes), null = every state. */
  feeds: ReadonlyMap<string, readonly string[] | null>;
  /** The number of removals when these feeds or their regions changed last. */
  feedsNumber: number;
  /** What its key may do. */
  grant: Grant;
  /** Only for a request that is answered right after its admission: later it would be out of date. */
  snapshot?: Snapshot;
  /** A HEAD request: it receives no rows, so none are charged or counted. */
  isHead?: boolean;
  /** Told of each charge of the request. */
  onCharge?: (charged: Charged) => void;
}

/** Rows that a request was charged. */
export interface Charged {
  /** Of a HEAD request: the rows that GET would be charged. */
  rows: number;
  /** Rows that the account has used in the month since then; absent when the admission of the request read them. */
  quotaUsed?: number;
}

/** A key's current minute, as the X-RateLimit headers show it. */
export interface RateState {
  limit: number;
  remaining: number;
  /** Unix time in seconds when the minute ends. */
  resetAtSeconds: number;
}

/** The rows of an account's month (UTC), as the X-Quota headers show them. */
export interface QuotaState {
  /** Rows that the plan gives. */
  limit: number;
  used: number;
  /** Unix time in seconds when the month ends. */
  resetAtSeconds: number;
}

/** What the statement that admitted a request read besides. Equal texts stand for equal states. */
export interface Snapshot {
  /** The feeds of the plan with their regions. */
  feeds: string;
  /** The versions of the feeds and the state of the removal list. src/feeds reads it. */
  served: string;
}

/** Rows that a request gets if the snapshot is still the same. */
export interface KnownRows {
  rows: number;
  snapshot: Snapshot;
}

/** Throws ProblemError account_suspended if the account is suspended. */
export function requireNotSuspended({ suspension }: Pick<Caller, "suspension">): void {
  if (suspension === null) return;
  throw new ProblemError("account_suspended", `This account is suspended: ${suspension}`);
}

/** Throws ProblemError plan_has_no_api_access if the caller's plan lacks API access. */
export function requireApiAccess({ hasApiAccess }: Pick<Caller, "hasApiAccess">): void {
  if (hasApiAccess) return;
  throw new ProblemError("plan_has_no_api_access", "The account's plan does not include API access.");
}

/** The states that the plan's feeds have together, sorted; null: every state. */
export function planStates({ feeds }: Pick<Caller, "feeds">): string[] | null {
  const regions = [...feeds.values()];
  return regions.includes(null) ? null : [...new Set(regions.flatMap((states) => states ?? []))].sort();
}

/** The key identifier of reads in the dashboard, which need no key. */
export const DASHBOARD_KEY_ID = "dashboard";

/** The account as a caller without a key, with its current plan and the plan's name. */
export async function callerOfAccount(
  context: Context,
  accountId: number,
): Promise<Caller & { planName: string }> {
  const row = await sql.accountCaller(context.db.pool, { accountId });
  if (!row) throw new Error(`There is no account ${accountId}`);
  return {
    accountId: row.account_id,
    keyId: DASHBOARD_KEY_ID,
    planCode: row.plan_code,
    planName: row.plan_name,
    licenceRef: row.licence_ref,
    suspension: row.suspension,
    hasApiAccess: row.api_access,
    requestsPerMinute: row.requests_per_minute,
    rowsPerMonth: row.rows_per_month,
    concurrentExports: row.concurrent_exports,
    watchedCarriers: row.watched_carriers,
    feeds: new Map(Object.entries(row.feeds ?? {})),
    feedsNumber: row.feeds_number,
    grant: FULL_GRANT,
  };
}
