import { randomUUID } from "node:crypto";
import type { Context } from "../../platform/context.ts";
import { perDatabase } from "../../platform/database/per-database.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import { ProblemError } from "../../platform/http/problem.ts";
import { countOf } from "../../platform/plural.ts";
import type { Caller } from "../keys/caller.ts";
import * as sql from "./statements.ts";

/** How long a slot is held after its process last renewed it. */
export const EXPORT_SLOT_SECONDS = 30;
const RENEW_EVERY_MS = 5_000;
const RETRY_AFTER_SECONDS = 10;

interface Held {
  /** The exports that this process is running. */
  runIds: Set<string>;
  timer: NodeJS.Timeout | undefined;
}

const heldOf = perDatabase((): Held => ({ runIds: new Set(), timer: undefined }));

/**
 * Takes one of the slots that the plan gives each key, counted over all processes; gives the run's id, which
 * `leaveExportSlot` takes back. ProblemError too_many_exports when all are taken.
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

/** Frees the slot of a run, as part of the transaction of `client`. */
export async function leaveExportSlot(context: Context, client: Queryable, runId: string): Promise<void> {
  const held = heldOf(context.db);
  // From here on the lease runs out by itself, should the statement fail.
  held.runIds.delete(runId);
  if (held.runIds.size === 0) {
    clearInterval(held.timer);
    held.timer = undefined;
  }
  await sql.leaveSlot.run(client, { runId });
}

// A slot costs no connection while its export runs: the leases of all slots of a process are renewed by one statement.
function hold(context: Context, runId: string): void {
  const held = heldOf(context.db);
  held.runIds.add(runId);
  held.timer ??= setInterval(() => void renew(context, held), RENEW_EVERY_MS).unref();
}

async function renew({ db, log }: Context, { runIds }: Held): Promise<void> {
  try {
    await sql.renewSlots.run(db.pool, { runIds: [...runIds], leaseSeconds: EXPORT_SLOT_SECONDS });
  } catch (err) {
    log.warn({ err }, "The slots of running exports could not be renewed; they may be given to others.");
  }
}
