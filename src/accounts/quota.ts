import type { Context } from "../platform/context.ts";
import type { Database } from "../platform/db.ts";
import { perDatabase } from "../platform/per-database.ts";
import { ProblemError } from "../platform/problem.ts";
import { loadSql } from "../platform/sql.ts";
import { tickLoader } from "../platform/tick-loader.ts";
import type { Caller } from "./caller.ts";
import { monthStartOf, secondsToNextMonth } from "./months.ts";
import { countRows } from "./usage-counter.ts";

/** Which counter beside the quota the rows belong to: rows of JSON answers or rows of CSV. */
export type RowKind = "api" | "export";

/**
 * Charges rows to the account's month, all or none, exactly over any number of processes and keys.
 * ProblemError quota_exceeded, with what is left in its detail, when they do not fit.
 */
export async function chargeRows(
  context: Context,
  caller: Caller,
  kind: RowKind,
  rows: number,
): Promise<void> {
  if (rows === 0) return;
  const now = context.clock.now();
  const account = { accountId: caller.accountId, month: monthStartOf(now), limit: caller.rowsPerMonth };
  const fits = await loaderOf(context.db).load({ ...account, kind, rows });
  if (fits) return countRows(context, caller, kind === "api" ? { apiRows: rows } : { exportRows: rows });
  const left = Math.max(0, account.limit - (await quotaRowsUsed(context.db, account)));
  throw new ProblemError(
    "quota_exceeded",
    `This answer has ${rows} rows, and ${left} of the ${account.limit} rows of your plan are left this month (UTC).`,
    { retryAfterSeconds: secondsToNextMonth(now) },
  );
}

/** Gives back rows an export reserved and a broken connection did not take, to the month they were charged in. */
export async function refundRows(
  context: Context,
  caller: Caller,
  kind: "export",
  rows: number,
  chargedAt: Date,
): Promise<void> {
  if (rows === 0) return;
  const month = monthStartOf(chargedAt);
  const { rowCount } = await context.db.pool.query(
    `UPDATE usage_month SET ${kind}_rows = ${kind}_rows - $3, quota_rows = quota_rows - $3
     WHERE account_id = $1 AND month = $2`,
    [caller.accountId, month, rows],
  );
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

const CHARGE_SQL = loadSql(import.meta.url, "charge.sql");

const loaderOf = perDatabase((db) => tickLoader<Charge, boolean>((batch) => chargeBatch(db, batch)));

// Answers whether each charge fits.
async function chargeBatch(db: Database, batch: readonly Charge[]): Promise<(boolean | Error)[]> {
  const groups = Map.groupBy(batch, (charge) => `${charge.accountId} ${charge.month} ${charge.limit}`);
  const answers = new Map<Charge, boolean | Error>();
  await Promise.all([...groups.values()].map((group) => chargeGroup(db, group, answers)));
  return batch.map((charge) => answers.get(charge) ?? new Error("A charge was left out of its batch"));
}

// The sum of an account's charges fits nearly always. Where it does not, each is tried by itself, so that nobody is
// refused for what others asked at the same time. One account's failure is not another's.
async function chargeGroup(db: Database, group: readonly Charge[], answers: Map<Charge, boolean | Error>) {
  try {
    if (await charge(db, group)) {
      for (const single of group) answers.set(single, true);
    } else {
      for (const single of group) answers.set(single, group.length > 1 && (await charge(db, [single])));
    }
  } catch (error) {
    for (const single of group) if (!answers.has(single)) answers.set(single, error as Error);
  }
}

async function charge(db: Database, charges: readonly Charge[]): Promise<boolean> {
  const { accountId, month, limit } = charges[0] as Charge;
  const sumOf = (kind: RowKind): number =>
    charges.reduce((sum, each) => sum + (each.kind === kind ? each.rows : 0), 0);
  const values = [accountId, month, sumOf("api"), sumOf("export"), limit];
  const { rowCount } = await db.pool.query({ name: "charge", text: CHARGE_SQL, values });
  return rowCount === 1;
}

async function quotaRowsUsed(db: Database, { accountId, month }: AccountMonth): Promise<number> {
  const found = await db.prisma.usageMonth.findUnique({
    where: { accountId_month: { accountId, month: new Date(month) } },
    select: { quotaRows: true },
  });
  return Number(found?.quotaRows ?? 0);
}
