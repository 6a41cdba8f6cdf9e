import { monthStartOf } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import type { Caller } from "../keys/caller.ts";
import { chargeRows, type RowKind, refundRows } from "../usage/quota.ts";
import { leaveExportSlot, takeExportSlot } from "./export-slots.ts";
import * as sql from "./statements.ts";

/** Rows of an export by state; those without a state under "". */
export type RowsByState = Readonly<Record<string, number>>;

/** A running export. */
export interface ExportRun {
  id: string;
  caller: Caller;
  /** Identifies the rows of a feed, in all states: each row of the same content is charged once a month. */
  content: string;
  /** Decides the month that is charged. */
  startedAt: Date;
}

/** What was charged for a content, and what its exports delivered: at most one number for each state. */
interface Charge {
  charged: number;
  delivered: number;
  chargedByState: RowsByState;
  deliveredByState: RowsByState;
}

const NO_CHARGE: Charge = { charged: 0, delivered: 0, chargedByState: {}, deliveredByState: {} };

/** Begins an export: takes one of the key's slots. Throws ProblemError too_many_exports if none is free. */
export async function beginExport(context: Context, caller: Caller, content: string): Promise<ExportRun> {
  const startedAt = context.clock.now();
  return { id: await takeExportSlot(context, caller, content), caller, content, startedAt };
}

/**
 * Charges the rows that an export will deliver, minus the rows already charged this month for the same content. Throws
 * ProblemError quota_exceeded if the quota does not have them.
 */
export const chargeExport = (context: Context, run: ExportRun, rows: RowsByState): Promise<void> =>
  chargeOnce(context, "export", run, rows);

/** The same for any content. A HEAD request is told what GET would be charged. */
export async function chargeOnce(
  context: Context,
  kind: RowKind,
  run: Omit<ExportRun, "id">,
  rows: RowsByState,
): Promise<void> {
  if (sumOf(rows) === 0) return;
  const { caller, startedAt } = run;
  if (caller.isHead) return tellCost(context, kind, run, rows);
  await context.db.transaction(async (client) => {
    await sql.addCharge.run(client, keyOf(run));
    const charge = await lockCharge(client, run);
    const raised = withRows(charge, rows);
    const unpaid = raised.charged - charge.charged;
    if (unpaid === 0) return;
    await chargeRows(context, caller, kind, unpaid, { client, now: startedAt });
    await writeCharge(client, run, raised);
  });
}

/** Tells a HEAD request the rows that an export with so many would be charged now. */
export const tellExportCost = (
  context: Context,
  caller: Caller,
  content: string,
  rows: RowsByState,
): Promise<void> => tellCost(context, "export", { caller, content, startedAt: context.clock.now() }, rows);

async function tellCost(
  context: Context,
  kind: RowKind,
  run: Omit<ExportRun, "id">,
  rows: RowsByState,
): Promise<void> {
  const { rows: found } = await sql.findCharge.run(context.db.pool, keyOf(run));
  const charge = found[0] ?? NO_CHARGE;
  await chargeRows(context, run.caller, kind, withRows(charge, rows).charged - charge.charged);
}

/**
 * Ends an export that delivered so many rows, and frees its slot. If it is the last running export of its content, the
 * charged rows that no export delivered are refunded.
 */
export async function endExport(context: Context, run: ExportRun, deliveredRows: RowsByState): Promise<void> {
  await context.db.transaction(async (client) => {
    await leaveExportSlot(context, client, run.id);
    const charge = await lockCharge(client, run);
    if (charge.charged === 0) return;
    const deliveredByState = mostOf(charge.deliveredByState, deliveredRows);
    const delivered = Math.max(charge.delivered, sumOf(deliveredByState));
    const ended = { ...charge, delivered, deliveredByState };
    const undelivered = charge.charged - delivered;
    if (undelivered <= 0 || (await isExportedStill(client, run))) return writeCharge(client, run, ended);
    await writeCharge(client, run, { ...ended, charged: delivered, chargedByState: deliveredByState });
    await refundRows(context, run.caller, undelivered, run.startedAt, client);
  });
}

/** The charge that has the rows too. The sum may be more than its states have: an older program kept the sum only. */
function withRows(charge: Charge, rows: RowsByState): Charge {
  const chargedByState = mostOf(charge.chargedByState, rows);
  return { ...charge, chargedByState, charged: Math.max(charge.charged, sumOf(chargedByState)) };
}

/** For each state the larger number. */
function mostOf(one: RowsByState, other: RowsByState): RowsByState {
  const states = Object.keys({ ...one, ...other });
  return Object.fromEntries(states.map((state) => [state, Math.max(one[state] ?? 0, other[state] ?? 0)]));
}

const sumOf = (rows: RowsByState): number => Object.values(rows).reduce((sum, each) => sum + each, 0);

const keyOf = ({ caller, content, startedAt }: Omit<ExportRun, "id">): sql.FindChargeParams => ({
  accountId: caller.accountId,
  month: monthStartOf(startedAt),
  content,
});

async function lockCharge(client: Queryable, run: Omit<ExportRun, "id">): Promise<Charge> {
  const { rows } = await sql.lockCharge.run(client, keyOf(run));
  return rows[0] ?? NO_CHARGE;
}

async function writeCharge(client: Queryable, run: Omit<ExportRun, "id">, charge: Charge): Promise<void> {
  const { chargedByState, deliveredByState } = charge;
  await sql.writeCharge.run(client, {
    ...keyOf(run),
    charged: charge.charged,
    delivered: charge.delivered,
    chargedByState: JSON.stringify(chargedByState),
    deliveredByState: JSON.stringify(deliveredByState),
  });
}

// Runs after the charge is locked: of two exports that end together, the second no longer sees the first.
async function isExportedStill(client: Queryable, { caller, content }: ExportRun): Promise<boolean> {
  const { rowCount } = await sql.findExport.run(client, { accountId: caller.accountId, content });
  return rowCount === 1;
}
