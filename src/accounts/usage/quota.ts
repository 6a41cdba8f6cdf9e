import { DAY_MS, dayNumber, monthAfter, monthStartOf } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import type { Database } from "../../platform/database/db.ts";
import { perDatabase } from "../../platform/database/per-database.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import { tickLoader } from "../../platform/database/tick-loader.ts";
import { ProblemError } from "../../platform/http/problem.ts";
import { countOf } from "../../platform/plural.ts";
import type { Caller } from "../keys/caller.ts";
import * as sql from "./statements.ts";
import { countRows } from "./usage-counter.ts";

/** Rows of JSON answers or of exports: each kind has a counter beside the quota. */
export type RowKind = "api" | "export";

/**
 * Charges rows to the account's month, all or none, exactly over any number of processes and keys. Throws ProblemError
 * quota_exceeded if the quota does not have them; its detail says how many are left. HEAD requests are free.
 * With `within` it charges in that transaction, to the month of its `now`.
 */
export async function chargeRows(
  context: Context,
  caller: Caller,
  kind: RowKind,
  rows: number,
  within?: { client: Queryable; now: Date },
): Promise<void> {
  if (rows === 0 || caller.isHead) return;
  const now = within?.now ?? context.clock.now();
  const account = { accountId: caller.accountId, month: monthStartOf(now), limit: caller.rowsPerMonth };
  const charge = { ...account, kind, rows };
  const fits = within ? await chargeSum(within.client, [charge]) : await loaderOf(context.db).load(charge);
  if (fits) return countChargedRows(context, caller, kind, rows);
  const left = await rowsLeftOf(within?.client ?? context.db.pool, account);
  throw new ProblemError(
    "quota_exceeded",
    `This answer has ${countOf(rows, "row")}, and ${left} of the ${countOf(account.limit, "row")} of your plan ` +
      `${left === 1 ? "is" : "are"} left this month (UTC).`,
    { retryAfterSeconds: secondsToNextMonth(now) },
  );
}

/** Counts rows that the account was charged, by day and key. */
export function countChargedRows(context: Context, caller: Caller, kind: RowKind, rows: number): void {
  caller.onCharge?.(rows);
  countRows(context, caller, kind === "api" ? { apiRows: rows } : { exportRows: rows });
}

/** The rows that the account has left this month. */
export const rowsLeft = (context: Context, { accountId, rowsPerMonth }: Caller): Promise<number> =>
  rowsLeftOf(context.db.pool, {
    accountId,
    month: monthStartOf(context.clock.now()),
    limit: rowsPerMonth,
  });

/** Refunds undelivered rows of an export to the month that they were charged in. */
export async function refundRows(
  context: Context,
  caller: Caller,
  rows: number,
  chargedAt: Date,
  client: Queryable = context.db.pool,
): Promise<void> {
  if (rows === 0) return;
  const month = monthStartOf(chargedAt);
  const { rowCount } = await sql.refundExport.run(client, { accountId: caller.accountId, month, rows });
  if (rowCount !== 1) throw new Error(`Account ${caller.accountId} was charged nothing in ${month}`);
  countRows(context, caller, { exportRows: -rows });
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

const loaderOf = perDatabase((db) => tickLoader<Charge, boolean>((batch) => chargeBatch(db, batch)));

// Returns whether the quota has each charge.
async function chargeBatch(db: Database, batch: readonly Charge[]): Promise<(boolean | Error)[]> {
  const groups = Map.groupBy(batch, (charge) => `${charge.accountId} ${charge.month} ${charge.limit}`);
  const answers = new Map<Charge, boolean | Error>();
  await Promise.all([...groups.values()].map((group) => chargeGroup(db, group, answers)));
  return batch.map((charge) => answers.get(charge) ?? new Error("A charge was left out of its batch"));
}

// Nearly always the quota has the sum of an account's charges. If not, each is tried alone, so that one large request does
// not refuse the others. A failure of one account does not affect another.
async function chargeGroup(db: Database, group: readonly Charge[], answers: Map<Charge, boolean | Error>) {
  try {
    if (await chargeSum(db.pool, group)) {
      for (const single of group) answers.set(single, true);
    } else {
      for (const single of group)
        answers.set(single, group.length > 1 && (await chargeSum(db.pool, [single])));
    }
  } catch (error) {
    for (const single of group) if (!answers.has(single)) answers.set(single, error as Error);
  }
}

// Returns whether the quota has all of one account's charges together.
async function chargeSum(db: Queryable, charges: readonly Charge[]): Promise<boolean> {
  const { accountId, month, limit } = charges[0] as Charge;
  const sumOf = (kind: RowKind): number =>
    charges.reduce((sum, each) => sum + (each.kind === kind ? each.rows : 0), 0);
  const params = { accountId, month, apiRows: sumOf("api"), exportRows: sumOf("export"), limit };
  const { rowCount } = await sql.charge.prepared(db, params);
  return rowCount === 1;
}

async function rowsLeftOf(db: Queryable, { accountId, month, limit }: AccountMonth): Promise<number> {
  const { rows } = await sql.quotaUsed.run(db, { accountId, month });
  return Math.max(0, limit - (rows[0]?.used ?? 0));
}

/** Whole seconds until the next month (UTC) begins, at least 1. */
function secondsToNextMonth(instant: Date): number {
  const nextMs = dayNumber(monthAfter(monthStartOf(instant))) * DAY_MS;
  return Math.max(1, Math.ceil((nextMs - instant.getTime()) / 1000));
}
