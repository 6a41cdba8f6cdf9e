import type { Context } from "../../platform/context.ts";
import type { Database } from "../../platform/database/db.ts";
import { perDatabase } from "../../platform/database/per-database.ts";
import { tickLoader } from "../../platform/database/tick-loader.ts";
import type { Caller, RateState } from "./caller.ts";
import { parseKey } from "./key-format.ts";
import * as sql from "./statements.ts";

/** The outcome for a presented key. */
export type Admission =
  | { outcome: "invalid_key" }
  | { outcome: "revoked_key" }
  | { outcome: "rate_limited"; caller: Caller; rate: RateState }
  | { outcome: "admitted"; caller: Caller; rate: RateState };

/**
 * Finds the caller of a key and counts the request in the key's minute, exactly over any number of processes. A key with
 * a wrong form or checksum never reaches the database. All others of one event-loop turn share one statement.
 */
export async function admit(context: Context, presentedKey: string | undefined): Promise<Admission> {
  const parsed = presentedKey === undefined ? null : parseKey(presentedKey);
  if (!parsed) return { outcome: "invalid_key" };
  const minute = Math.floor(context.clock.now().getTime() / 60_000);
  return loaderOf(context.db).load({ keyId: parsed.id, secretHash: parsed.secretHash, minute });
}

interface Presented {
  keyId: string;
  secretHash: Buffer;
  minute: number;
}

const loaderOf = perDatabase((db) =>
  tickLoader<Presented, Admission>((batch) => admitBatch(db, batch), { maxBatchSize: 1000 }),
);

async function admitBatch(db: Database, batch: readonly Presented[]): Promise<Admission[]> {
  const groups = Map.groupBy(batch, nameOf);
  const firsts = [...groups.values()].map(([first]) => first as Presented);
  // Prepared once per connection: planning takes five times as long as running.
  const { rows } = await sql.admission.prepared(db.pool, {
    keyIds: firsts.map((presented) => presented.keyId),
    secretHashes: firsts.map((presented) => presented.secretHash),
    requests: [...groups.values()].map((group) => group.length),
    minute: batch.reduce((newest, presented) => Math.max(newest, presented.minute), 0),
  });
  const known = new Map(
    rows.map((row) => [nameOf({ keyId: row.key_id, secretHash: row.secret_hash }), admitter(row)]),
  );
  return batch.map((presented) => known.get(nameOf(presented))?.() ?? { outcome: "invalid_key" });
}

const nameOf = ({ keyId, secretHash }: Pick<Presented, "keyId" | "secretHash">): string =>
  `${keyId}${secretHash.toString("latin1")}`;

// Decides on the requests of one key in order of arrival, each by its number in the minute.
function admitter(row: sql.AdmissionRow): () => Admission {
  // Requests of a revoked key are not counted.
  if (row.minute === null || row.used_before === null) return () => ({ outcome: "revoked_key" });
  const caller = callerOf(row);
  const limit = row.requests_per_minute;
  const resetAtSeconds = (row.minute + 1) * 60;
  let used = row.used_before;
  return () => {
    used += 1;
    const rate = { limit, remaining: Math.max(0, limit - used), resetAtSeconds };
    return { outcome: used <= limit ? "admitted" : "rate_limited", caller, rate };
  };
}

const callerOf = (row: sql.AdmissionRow): Caller => ({
  accountId: row.account_id,
  keyId: row.key_id,
  planCode: row.plan_code,
  licenceRef: row.licence_ref,
  hasApiAccess: row.api_access,
  requestsPerMinute: row.requests_per_minute,
  rowsPerMonth: row.rows_per_month,
  concurrentExports: row.concurrent_exports,
  feeds: new Map(Object.entries(row.feeds ?? {})),
});
