import { monthStartOf } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import type { Caller } from "../keys/caller.ts";
import { chargeRows, refundRows } from "../usage/quota.ts";
import { leaveExportSlot, takeExportSlot } from "./export-slots.ts";
import * as sql from "./statements.ts";

/** A running export. */
export interface ExportRun {
  id: string;
  caller: Caller;
  /** Identifies the rows of a feed: the same content is charged once a month. */
  content: string;
  /** Decides the month that is charged. */
  startedAt: Date;
}

/** Begins an export: takes one of the key's slots. Throws ProblemError too_many_exports if none is free. */
export async function beginExport(context: Context, caller: Caller, content: string): Promise<ExportRun> {
  const startedAt = context.clock.now();
  return { id: await takeExportSlot(context, caller, content), caller, content, startedAt };
}

/**
 * Charges the rows that an export will deliver, minus the rows already charged this month for the same content. Throws
 * ProblemError quota_exceeded if the quota does not have them.
 */
export async function chargeExport(context: Context, run: ExportRun, rows: number): Promise<void> {
  if (rows === 0) return;
  const { caller, content, startedAt } = run;
  const charge = { accountId: caller.accountId, month: monthStartOf(startedAt), content };
  await context.db.transaction(async (client) => {
    const charged = await lockCharge(client, charge);
    if (charged >= rows) return;
    await chargeRows(context, caller, "export", rows - charged, { client, now: startedAt });
    await sql.raiseCharge.run(client, { ...charge, rows });
  });
}

/** Tells a HEAD request the rows that an export with so many would be charged now. */
export async function tellExportCost(
  context: Context,
  caller: Caller,
  content: string,
  rows: number,
): Promise<void> {
  const month = monthStartOf(context.clock.now());
  const found = await sql.findCharge.run(context.db.pool, { accountId: caller.accountId, month, content });
  const charged = found.rows[0]?.charged ?? 0;
  await chargeRows(context, caller, "export", Math.max(0, rows - charged));
}

/**
 * Ends an export that delivered so many rows, and frees its slot. If it is the last running export of its content, the
 * charged rows that no export delivered are refunded.
 */
export async function endExport(context: Context, run: ExportRun, deliveredRows: number): Promise<void> {
  const { caller, content, startedAt } = run;
  const charge = { accountId: caller.accountId, month: monthStartOf(startedAt), content };
  await context.db.transaction(async (client) => {
    await leaveExportSlot(context, client, run.id);
    const { rows } = await sql.recordDelivery.run(client, { ...charge, deliveredRows });
    const undelivered = rows[0]?.undelivered ?? 0;
    if (undelivered <= 0 || (await isExportedStill(client, run))) return;
    await sql.lowerCharge.run(client, charge);
    await refundRows(context, caller, undelivered, startedAt, client);
  });
}

/** The rows charged for the content so far. Locks them until the transaction ends. */
async function lockCharge(client: Queryable, charge: sql.LockChargeParams): Promise<number> {
  const { rows } = await sql.lockCharge.run(client, charge);
  return rows[0]?.charged ?? 0;
}

// Runs after the charge is locked: of two exports that end together, the second no longer sees the first.
async function isExportedStill(client: Queryable, { caller, content }: ExportRun): Promise<boolean> {
  const { rowCount } = await sql.findExport.run(client, { accountId: caller.accountId, content });
  return rowCount === 1;
}
