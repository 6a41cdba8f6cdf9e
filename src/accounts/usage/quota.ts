import * as sql from "../../generated/sql/accounts/usage.ts";
import { DAY_MS, dayOf, monthEndMs, monthStartOf } from "../../platform/clock.ts";
import type { Context, Database } from "../../platform/context.ts";
import { perDatabase } from "../../platform/database/per-database.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import { tickLoader } from "../../platform/database/tick-loader.ts";
import { afterCommit } from "../../platform/database/transaction.ts";
import { ProblemError } from "../../platform/http/problem.ts";
import { countOf } from "../../platform/plural.ts";
import type { Caller, Charged, QuotaState } from "../keys/caller.ts";
import { countRows } from "./usage-counter.ts";

/** Rows of JSON answers or of exports: each kind has a counter beside the quota. */
export type RowKind = "api" | "export";

/**
 * Charges rows to the account's month, all or none, exactly over any number of processes and keys. Throws ProblemError
 * quota_exceeded if the quota does not have them; its detail says how many are left. A HEAD request is free and
 * returns what GET would be charged.
 * With `within` it charges in that transaction, to the month of its `now`.
 */
export async function chargeRows(
  context: Context,
  caller: Caller,
  kind: RowKind,
  rows: number,
  within?: { client: Queryable; now: Date },
): Promise<void> {
  if (rows === 0) return;
  if (caller.isHead) {
    caller.onCharge?.({ rows });
    return;
  }
  const now = within?.now ?? context.clock.now();
  const account = { accountId: caller.accountId, month: monthStartOf(now), limit: caller.rowsPerMonth };
  const charge = { ...account, kind, rows };
  const quotaUsed = within
    ? await chargeSum(within.client, [charge])
    : await loaderOf(context.db).load(charge);
  const client = within?.client ?? context.db.pool;
  if (quotaUsed !== null) {
    return afterCommit(client, () => countChargedRows(context, caller, kind, { rows, quotaUsed }, now));
  }
  const used = await rowsUsedOf(client, account);
  caller.onCharge?.({ rows: 0, quotaUsed: used });
  const left = leftOf({ limit: account.limit, used });
  throw new ProblemError(
    "quota_exceeded",
    `This answer has ${countOf(rows, "row")}, and ${left.toLocaleString("en-US")} of the ${countOf(account.limit, "row")} of your plan ` +
      `${left === 1 ? "is" : "are"} left this month (UTC).`,
    { retryAfterSeconds: secondsToNextMonth(now) },
  );
}

/** Counts rows that the account was charged, by day and key, and tells the request. `now` decided the month. */
export function countChargedRows(
  context: Context,
  caller: Caller,
  kind: RowKind,
  charged: Charged,
  now = context.clock.now(),
): void {
  const { rows } = charged;
  caller.onCharge?.(charged);
  countRows(context, caller, kind === "api" ? { apiRows: rows } : { exportRows: rows }, now);
}

/** The rows that the account has left this month. */
export async function rowsLeft(context: Context, { accountId, rowsPerMonth }: Caller): Promise<number> {
  const month = monthStartOf(context.clock.now());
  return leftOf({ limit: rowsPerMonth, used: await rowsUsedOf(context.db.pool, { accountId, month }) });
}

/** The rows that are left; none when the account's plan was larger before. */
export const leftOf = ({ limit, used }: Pick<QuotaState, "limit" | "used">): number =>
  Math.max(0, limit - used);

/** Refunds undelivered rows of an export to the day and month that they were charged in. */
export async function refundRows(
  context: Context,
  caller: Caller,
  rows: number,
  chargedAt: Date,
  client: Queryable = context.db.pool,
): Promise<void> {
  if (rows === 0) return;
  const month = monthStartOf(chargedAt);
  const rowCount = await sql.refundExport(client, { accountId: caller.accountId, month, rows });
  if (rowCount !== 1) throw new Error(`Account ${caller.accountId} was charged nothing in ${month}`);
  afterCommit(client, () => countRows(context, caller, { exportRows: -rows }, chargedAt));
}

interface AccountMonth {
  accountId: number;
  month: string;
  limit: number;
}

interface Charge extends AccountMonth {
  kind: RowKind;
  rows: number;
}

/** The rows that the account has used since the charge; null if the quota does not have it. */
type Outcome = number | null;

const loaderOf = perDatabase((db) => tickLoader<Charge, Outcome>((batch) => chargeBatch(db, batch)));

async function chargeBatch(db: Database, batch: readonly Charge[]): Promise<(Outcome | Error)[]> {
  const groups = Map.groupBy(batch, (charge) => `${charge.accountId} ${charge.month} ${charge.limit}`);
  const answers = new Map<Charge, Outcome | Error>();
  await Promise.all([...groups.values()].map((group) => chargeGroup(db, group, answers)));
  return batch.map((charge) => {
    const outcome = answers.get(charge);
    return outcome === undefined ? new Error("A charge was left out of its batch") : outcome;
  });
}

// Nearly always the quota has the sum of an account's charges. If not, each is tried alone, so that one large request does
// not refuse the others. A failure of one account does not affect another.
async function chargeGroup(db: Database, group: readonly Charge[], answers: Map<Charge, Outcome | Error>) {
  try {
    const together = await chargeSum(db.pool, group);
    for (const single of group) {
      const isRefusedAmongOthers = together === null && group.length > 1;
      answers.set(single, isRefusedAmongOthers ? await chargeSum(db.pool, [single]) : together);
    }
  } catch (error) {
    for (const single of group) if (!answers.has(single)) answers.set(single, error as Error);
  }
}

// All of one account's charges together.
async function chargeSum(db: Queryable, charges: readonly Charge[]): Promise<Outcome> {
  const { accountId, month, limit } = charges[0] as Charge;
  const sumOf = (kind: RowKind): number =>
    charges.reduce((sum, each) => sum + (each.kind === kind ? each.rows : 0), 0);
  const params = { accountId, month, apiRows: sumOf("api"), exportRows: sumOf("export"), limit };
  const row = await sql.charge(db, params);
  return row?.quota_rows ?? null;
}

async function rowsUsedOf(db: Queryable, account: sql.QuotaUsedParams): Promise<number> {
  const row = await sql.quotaUsed(db, account);
  return row?.used ?? 0;
}

/** Whole seconds until the next month (UTC) begins, at least 1. */
const secondsToNextMonth = (instant: Date): number =>
  Math.max(1, Math.ceil((monthEndMs(monthStartOf(instant)) - instant.getTime()) / 1000));

/** More than a person needs. Without a limit a program could read whole feeds by previews, without quota. */
export const PREVIEWS_PER_DAY = 200;

/**
 * Counts a free preview of the account on the current day (UTC), exactly over any number of processes. Throws
 * ProblemError rate_limited above the day's limit.
 */
export async function countPreview({ db, clock }: Context, caller: Caller): Promise<void> {
  const now = clock.now();
  const { used } = await sql.countPreview(db.pool, { accountId: caller.accountId, day: dayOf(now) });
  if (used <= PREVIEWS_PER_DAY) return;
  throw new ProblemError(
    "rate_limited",
    `Your account has looked at ${PREVIEWS_PER_DAY} free previews today (UTC), which is the limit. ` +
      insteadOfPreviews(caller),
    { retryAfterSeconds: Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1000) },
  );
}

/** What the account's plan allows once its previews of the day are used up. */
function insteadOfPreviews({ rowsPerMonth, hasApiAccess }: Caller): string {
  if (rowsPerMonth === 0) return "Come back tomorrow.";
  return hasApiAccess
    ? "Download the feed or read it with the API, or come back tomorrow."
    : "Download the feed, or come back tomorrow.";
}
