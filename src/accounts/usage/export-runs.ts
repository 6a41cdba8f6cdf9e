import type pg from "pg";
import type { Context } from "../../platform/context.ts";
import type { Caller } from "../keys/caller.ts";
import { leaveExportSlot, takeExportSlot } from "./export-slots.ts";
import { monthStartOf } from "./months.ts";
import { chargeRows, refundRows } from "./quota.ts";

/** An export under way. */
export interface ExportRun {
  id: string;
  caller: Caller;
  /** The same for the same rows of a feed: what is charged once a month. */
  content: string;
  /** By whose month it is charged. */
  startedAt: Date;
}

/** Begins an export: takes one of the key's slots. ProblemError too_many_exports. */
export async function beginExport(context: Context, caller: Caller, content: string): Promise<ExportRun> {
  const startedAt = context.clock.now();
  return { id: await takeExportSlot(context, caller, content), caller, content, startedAt };
}

/**
 * Charges the rows that an export is about to deliver, less those that the account has paid this month for the same
 * content. ProblemError quota_exceeded when they do not fit.
 */
export async function chargeExport(context: Context, run: ExportRun, rows: number): Promise<void> {
  if (rows === 0) return;
  const { caller, content, startedAt } = run;
  const month = monthStartOf(startedAt);
  await context.db.transaction(async (client) => {
    const charged = await lockCharge(client, { accountId: caller.accountId, month, content });
    if (charged >= rows) return;
    await chargeRows(context, caller, "export", rows - charged, { client, now: startedAt });
    await client.query(
      "UPDATE export_charge SET charged_rows = $4 WHERE account_id = $1 AND month = $2 AND content = $3",
      [caller.accountId, month, content, rows],
    );
  });
}

/**
 * Ends an export, which delivered so many rows, and frees its slot. When no other export of the same content is left,
 * the rows that none of them delivered are given back.
 */
export async function endExport(context: Context, run: ExportRun, deliveredRows: number): Promise<void> {
  const { caller, content, startedAt } = run;
  const values = [caller.accountId, monthStartOf(startedAt), content];
  await context.db.transaction(async (client) => {
    await leaveExportSlot(context, client, run.id);
    const { rows } = await client.query<{ undelivered: number }>(
      `UPDATE export_charge SET delivered_rows = greatest(delivered_rows, $4)
       WHERE account_id = $1 AND month = $2 AND content = $3
       RETURNING charged_rows - delivered_rows AS undelivered`,
      [...values, deliveredRows],
    );
    const undelivered = rows[0]?.undelivered ?? 0;
    if (undelivered <= 0 || (await isExportedStill(client, run))) return;
    await client.query(
      `UPDATE export_charge SET charged_rows = delivered_rows
       WHERE account_id = $1 AND month = $2 AND content = $3`,
      values,
    );
    await refundRows(context, caller, "export", undelivered, startedAt, client);
  });
}

/** The rows charged for the content so far. Locks them until the transaction ends. */
async function lockCharge(
  client: pg.PoolClient,
  { accountId, month, content }: { accountId: number; month: string; content: string },
): Promise<number> {
  // Contents of months long past are asked for no more; the last month's may still be under way.
  await client.query(
    "DELETE FROM export_charge WHERE account_id = $1 AND month < $2::date - interval '1 month'",
    [accountId, month],
  );
  const { rows } = await client.query<{ charged: number }>(
    `INSERT INTO export_charge AS stored (account_id, month, content) VALUES ($1, $2, $3)
     ON CONFLICT (account_id, month, content) DO UPDATE SET charged_rows = stored.charged_rows
     RETURNING charged_rows AS charged`,
    [accountId, month, content],
  );
  return rows[0]?.charged ?? 0;
}

// Read after the charge is locked: of two exports that end together, the second one finds the first one gone.
async function isExportedStill(client: pg.PoolClient, { caller, content }: ExportRun): Promise<boolean> {
  const { rowCount } = await client.query(
    "SELECT FROM export_slot WHERE account_id = $1 AND content = $2 AND lease_until > now() LIMIT 1",
    [caller.accountId, content],
  );
  return rowCount === 1;
}
