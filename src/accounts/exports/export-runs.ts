import { randomUUID } from "node:crypto";
import * as sql from "../../generated/sql/accounts/exports.ts";
import { monthStartOf } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import { perDatabase } from "../../platform/database/per-database.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import { ProblemError } from "../../platform/http/problem.ts";
import { countOf } from "../../platform/plural.ts";
import type { Caller } from "../keys/caller.ts";
import { chargeRows, type RowKind, refundRows } from "../usage/quota.ts";
import { type Charge, leastOf, mostOf, NO_CHARGE, type RowsByState, sumOf, withRows } from "./charge.ts";

/** A running export. */
export interface ExportRun {
  id: string;
  caller: Caller;
  /** Identifies the rows of a feed, in all states: each row of the same content is charged once a month. */
  content: string;
  /** Decides the month that is charged. */
  startedAt: Date;
}

/** Begins an export: takes one of the key's slots. Throws ProblemError too_many_exports if none is free. */
export async function beginExport(context: Context, caller: Caller, content: string): Promise<ExportRun> {
  const startedAt = context.clock.now();
  return { id: await takeExportSlot(context, caller, content), caller, content, startedAt };
}

/** What is charged of a content: its rows up to some row, and those of them that came in earlier parts. */
interface Price {
  rows: RowsByState;
  before?: RowsByState;
}

/**
 * Charges the rows that an export will deliver, minus the rows already charged this month for the same content, and those
 * of earlier parts that the month before had. Throws ProblemError quota_exceeded if the quota does not have them.
 */
export const chargeExport = (context: Context, run: ExportRun, price: Price): Promise<void> =>
  chargeOnce(context, "export", run, price);

/** The same for any content. A HEAD request gets the price that GET would have. */
export async function chargeOnce(
  context: Context,
  kind: RowKind,
  run: Omit<ExportRun, "id">,
  { rows, before = {} }: Price,
): Promise<void> {
  if (sumOf(rows) === 0) return;
  const { caller, startedAt } = run;
  if (caller.isHead) return tellCost(context, kind, run, { rows, before });
  await context.db.transaction(async (client) => {
    await sql.addCharge(client, keyOf(run));
    const known = await lockCharge(client, run);
    const charge = await withRowsBefore(client, kind, run, known, before);
    const raised = withRows(charge, rows);
    if (raised.charged === known.charged) return;
    await chargeRows(context, caller, kind, raised.charged - charge.charged, { client, now: startedAt });
    await writeCharge(client, run, raised);
  });
}

/** Whether the account was charged rows of the export's content this month. */
export async function isPaidInPart({ db }: Context, run: ExportRun): Promise<boolean> {
  const charge = await sql.findCharge(db.pool, keyOf(run));
  return charge !== undefined && charge.charged > 0;
}

/** Tells a HEAD request the rows that an export with so many would be charged now. */
export const tellExportCost = (
  context: Context,
  caller: Caller,
  content: string,
  rows: RowsByState,
): Promise<void> =>
  tellCost(context, "export", { caller, content, startedAt: context.clock.now() }, { rows });

async function tellCost(
  context: Context,
  kind: RowKind,
  run: Omit<ExportRun, "id">,
  { rows, before = {} }: Price,
): Promise<void> {
  const found = await sql.findCharge(context.db.pool, keyOf(run));
  const charge = await withRowsBefore(context.db.pool, kind, run, found ?? NO_CHARGE, before);
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

/**
 * The charge with the rows of earlier parts that the month before paid: who goes on after a month's end does not pay them
 * again. Of an export they are those that it delivered, since others are given back when it ends.
 */
async function withRowsBefore(
  client: Queryable,
  kind: RowKind,
  run: Omit<ExportRun, "id">,
  charge: Charge,
  before: RowsByState,
): Promise<Charge> {
  if (withRows(charge, before).charged === charge.charged) return charge;
  const lastMonth = new Date(Date.parse(monthStartOf(run.startedAt)) - 1);
  const last = (await sql.findCharge(client, keyOf({ ...run, startedAt: lastMonth }))) ?? NO_CHARGE;
  const paid = leastOf(kind === "export" ? last.deliveredByState : last.chargedByState, before);
  const deliveredByState = mostOf(charge.deliveredByState, paid);
  const delivered = Math.max(charge.delivered, sumOf(deliveredByState));
  return { ...withRows(charge, paid), delivered, deliveredByState };
}

const keyOf = ({ caller, content, startedAt }: Omit<ExportRun, "id">): sql.FindChargeParams => ({
  accountId: caller.accountId,
  month: monthStartOf(startedAt),
  content,
});

async function lockCharge(client: Queryable, run: Omit<ExportRun, "id">): Promise<Charge> {
  const row = await sql.lockCharge(client, keyOf(run));
  return row ?? NO_CHARGE;
}

async function writeCharge(client: Queryable, run: Omit<ExportRun, "id">, charge: Charge): Promise<void> {
  const { chargedByState, deliveredByState } = charge;
  await sql.writeCharge(client, {
    ...keyOf(run),
    charged: charge.charged,
    delivered: charge.delivered,
    chargedByState: JSON.stringify(chargedByState),
    deliveredByState: JSON.stringify(deliveredByState),
  });
}

// Runs after the charge is locked: of two exports that end together, the second no longer sees the first.
async function isExportedStill(client: Queryable, { caller, content }: ExportRun): Promise<boolean> {
  const rowCount = await sql.findExport(client, { accountId: caller.accountId, content });
  return rowCount === 1;
}

/** Lease of a slot: it becomes free this long after its process died. */
export const EXPORT_SLOT_SECONDS = 30;
const RENEW_EVERY_MS = 5_000;
const RETRY_AFTER_SECONDS = 10;

interface HeldSlots {
  /** The exports that this process is running. */
  runIds: Set<string>;
  timer: NodeJS.Timeout | undefined;
}

const heldSlotsOf = perDatabase((): HeldSlots => ({ runIds: new Set(), timer: undefined }));

/**
 * Takes one of the key's export slots, over all processes. Returns the run's id, by which `leaveExportSlot` frees it.
 * Throws ProblemError too_many_exports if all slots are taken.
 */
export async function takeExportSlot(
  context: Context,
  caller: Pick<Caller, "accountId" | "keyId" | "concurrentExports">,
  content: string,
): Promise<string> {
  const runId = randomUUID();
  const { accountId, keyId, concurrentExports } = caller;
  const params = {
    accountId,
    keyId,
    slots: concurrentExports,
    runId,
    content,
    leaseSeconds: EXPORT_SLOT_SECONDS,
  };
  for (;;) {
    const { slot, free } = await sql.takeSlot(context.db.pool, params);
    if (slot !== null) break;
    if (free === 0) throw tooMany(concurrentExports);
  }
  hold(context, runId);
  return runId;
}

const tooMany = (allowed: number): ProblemError =>
  new ProblemError(
    "too_many_exports",
    `This key may run ${countOf(allowed, "export")} at a time. Try again when one of them has ended.`,
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );

/** Frees the slot of a run, in the transaction of `client`. */
async function leaveExportSlot(context: Context, client: Queryable, runId: string): Promise<void> {
  const held = heldSlotsOf(context.db);
  // No longer renewed: if the statement fails, the lease expires by itself.
  held.runIds.delete(runId);
  if (held.runIds.size === 0) {
    clearInterval(held.timer);
    held.timer = undefined;
  }
  await sql.leaveSlot(client, { runId });
}

// A running export holds no connection for its slot: one statement renews the leases of all slots of the process.
function hold(context: Context, runId: string): void {
  const held = heldSlotsOf(context.db);
  held.runIds.add(runId);
  held.timer ??= setInterval(() => void renew(context, held), RENEW_EVERY_MS).unref();
}

async function renew({ db, log }: Context, { runIds }: HeldSlots): Promise<void> {
  try {
    await sql.renewSlots(db.pool, { runIds: [...runIds], leaseSeconds: EXPORT_SLOT_SECONDS });
  } catch (err) {
    log.warn({ err }, "The slots of running exports could not be renewed. Other exports may take them.");
  }
}
