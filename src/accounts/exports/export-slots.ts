import { randomUUID } from "node:crypto";
import type { Context } from "../../platform/context.ts";
import { perDatabase } from "../../platform/database/per-database.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import { ProblemError } from "../../platform/http/problem.ts";
import { countOf } from "../../platform/plural.ts";
import type { Caller } from "../keys/caller.ts";
import * as sql from "./statements.ts";

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
    const { rows } = await sql.takeSlot.run(context.db.pool, params);
    const { slot = null, free = 0 } = rows[0] ?? {};
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
export async function leaveExportSlot(context: Context, client: Queryable, runId: string): Promise<void> {
  const held = heldSlotsOf(context.db);
  // No longer renewed: if the statement fails, the lease expires by itself.
  held.runIds.delete(runId);
  if (held.runIds.size === 0) {
    clearInterval(held.timer);
    held.timer = undefined;
  }
  await sql.leaveSlot.run(client, { runId });
}

// A running export holds no connection for its slot: one statement renews the leases of all slots of the process.
function hold(context: Context, runId: string): void {
  const held = heldSlotsOf(context.db);
  held.runIds.add(runId);
  held.timer ??= setInterval(() => void renew(context, held), RENEW_EVERY_MS).unref();
}

async function renew({ db, log }: Context, { runIds }: HeldSlots): Promise<void> {
  try {
    await sql.renewSlots.run(db.pool, { runIds: [...runIds], leaseSeconds: EXPORT_SLOT_SECONDS });
  } catch (err) {
    log.warn({ err }, "The slots of running exports could not be renewed. Other exports may take them.");
  }
}
