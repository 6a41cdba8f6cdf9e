import { LRUCache } from "lru-cache";
import * as sql from "../../generated/sql/accounts/keys.ts";
import { monthEndMs, monthStartOf } from "../../platform/clock.ts";
import type { Context, Database } from "../../platform/context.ts";
import { perDatabase } from "../../platform/database/per-database.ts";
import { tickLoader } from "../../platform/database/tick-loader.ts";
import type { Caller, KnownRows, QuotaState, RateState, Snapshot } from "./caller.ts";
import { grantOf } from "./grant.ts";
import { parseKey } from "./key-format.ts";
import { ownerOf, underSituation } from "./situation.ts";

/** The outcome for a presented key. */
export type Admission = { outcome: "invalid_key" } | { outcome: "revoked_key" } | ExpiredKey | KnownKey;

/** A key whose end has passed, or a secret that was replaced and whose grace has. */
export interface ExpiredKey {
  outcome: "expired_key";
  expiredAt: Date;
  isReplaced: boolean;
}

/** A key of an account, with the state of its minute and of the account's month. */
export interface KnownKey {
  outcome: "rate_limited" | "admitted";
  caller: Caller;
  rate: RateState;
  quota: QuotaState;
  snapshot: Snapshot;
  /** Whether the account was charged the known rows. */
  isCharged: boolean;
}

/**
 * Finds the caller of a key and counts the request in the key's minute, exactly over any number of processes. A key with
 * a wrong form or checksum never reaches the database. All others of one event-loop turn share one statement. It charges
 * `knownRows` if the request is admitted, the quota has them, and the snapshot is the same as when they became known.
 */
export async function admit(
  context: Context,
  presentedKey: string | undefined,
  knownRows: KnownRows | null = null,
): Promise<Admission> {
  const parsed = presentedKey === undefined ? null : parseKey(presentedKey);
  if (parsed === null) return { outcome: "invalid_key" };
  const { clock, db, live } = context;
  const { id: keyId, secretHash } = parsed;
  const nowMs = clock.now().getTime();
  const admission = await loaderOf(db).load({ keyId, secretHash, nowMs, knownRows });
  return live === undefined ? admission : ofTestMode(context, live, admission);
}

/** The outcome for a test key: its account is suspended or closed as the live one is, and it may ask for a situation. */
async function ofTestMode(test: Context, live: Context, admission: Admission): Promise<Admission> {
  if (!("caller" in admission)) return admission;
  const { caller } = admission;
  const account = await live.db.prisma.account.findUnique({
    where: { id: ownerOf(caller.accountId) },
    select: { suspension: true, closedAt: true },
  });
  if (account === null || account.closedAt !== null) return { outcome: "revoked_key" };
  return underSituation(test, { ...admission, caller: { ...caller, suspension: account.suspension } });
}

interface Presented {
  keyId: string;
  secretHash: Buffer;
  nowMs: number;
  knownRows: KnownRows | null;
}

// Prepared once per connection: planning takes five times as long as running.
const loaderOf = perDatabase((db) =>
  tickLoader<Presented, Admission>((batch) => admitBatch(db, batch), { maxBatchSize: 1000 }),
);

async function admitBatch(db: Database, batch: readonly Presented[]): Promise<Admission[]> {
  const groups = [...Map.groupBy(batch, nameOf).values()];
  const firsts = groups.map(([first]) => first as Presented);
  const known = groups.map(sumOf);
  const nowMs = Math.max(...batch.map((each) => each.nowMs));
  const month = monthStartOf(new Date(nowMs));
  const rows = await sql.admission(db.pool, {
    keyIds: firsts.map(({ keyId }) => keyId),
    secretHashes: firsts.map(({ secretHash }) => secretHash),
    requests: groups.map((group) => group.length),
    minute: Math.floor(nowMs / 60_000),
    month,
    rowsOfKeys: known.map((sum) => sum.rows),
    feedsOfKeys: known.map(({ snapshot }) => snapshot.feeds),
    servedOfKeys: known.map(({ snapshot }) => snapshot.served),
    now: new Date(nowMs),
  });
  const inSums = new Set(known.flatMap(({ of }) => of));
  const minutes = minutesOf(rows);
  const admitters = new Map(
    rows.map((row) => [
      nameOf({ keyId: row.key_id, secretHash: row.secret_hash }),
      admitter(row, month, minutes.get(row.key_id)),
    ]),
  );
  return batch.map((one) => admitters.get(nameOf(one))?.(inSums.has(one)) ?? { outcome: "invalid_key" });
}

const NO_SNAPSHOT: Snapshot = { feeds: "", served: "" };

/** The known rows of one key's requests that have the same snapshot as the last one, and these requests. */
function sumOf(group: readonly Presented[]): KnownRows & { of: readonly Presented[] } {
  const snapshot = group.findLast(({ knownRows }) => knownRows !== null)?.knownRows?.snapshot;
  if (snapshot === undefined) return { rows: 0, snapshot: NO_SNAPSHOT, of: [] };
  const { feeds, served } = snapshot;
  const of = group.filter(
    ({ knownRows }) => knownRows?.snapshot.served === served && knownRows.snapshot.feeds === feeds,
  );
  return { rows: of.reduce((sum, { knownRows }) => sum + (knownRows?.rows ?? 0), 0), snapshot, of };
}

const nameOf = ({ keyId, secretHash }: Pick<Presented, "keyId" | "secretHash">): string =>
  `${keyId}${secretHash.toString("latin1")}`;

/** A key's minute, with the requests in it before the next one of the batch. */
interface Minute {
  minute: number;
  used: number;
}

/** The minutes of the keys whose requests were counted. Both secrets of a key count in the same one. */
function minutesOf(rows: readonly sql.AdmissionRow[]): ReadonlyMap<string, Minute> {
  const minutes = new Map<string, Minute>();
  for (const { key_id, minute, used, requests, is_expired } of rows) {
    if (minute === null || used === null || is_expired) continue;
    const first = minutes.get(key_id) ?? { minute, used };
    minutes.set(key_id, { minute, used: first.used - requests });
  }
  return minutes;
}

// Decides on the requests of one secret in order of arrival, each by its number in the key's minute.
function admitter(
  row: sql.AdmissionRow,
  month: string,
  counted: Minute | undefined,
): (hasKnownRows: boolean) => Admission {
  // Requests of a revoked or expired key are not counted.
  if (row.is_revoked) return () => ({ outcome: "revoked_key" });
  const { valid_until: expiredAt, is_previous: isReplaced } = row;
  if (row.is_expired && expiredAt) return () => ({ outcome: "expired_key", expiredAt, isReplaced });
  if (counted === undefined) throw new Error("A usable key was not counted");
  const caller = callerOf(row);
  const snapshot = { feeds: row.feeds ?? "", served: row.served };
  const limit = row.requests_per_minute;
  const resetAtSeconds = (counted.minute + 1) * 60;
  // All requests of the batch return the same number of rows left: the number after the batch.
  const quota = {
    limit: row.rows_per_month,
    used: row.quota_used,
    resetAtSeconds: monthEndMs(month) / 1000,
  };
  return (hasKnownRows) => {
    counted.used += 1;
    const { used } = counted;
    const rate = { limit, remaining: Math.max(0, limit - used), resetAtSeconds };
    const outcome = used <= limit ? "admitted" : "rate_limited";
    return { outcome, caller, rate, quota, snapshot, isCharged: row.is_charged && hasKnownRows };
  };
}

const callerOf = (row: sql.AdmissionRow): Caller => ({
  accountId: row.account_id,
  keyId: row.key_id,
  planCode: row.plan_code,
  licenceRef: row.licence_ref,
  suspension: row.suspension,
  hasApiAccess: row.api_access,
  requestsPerMinute: row.requests_per_minute,
  rowsPerMonth: row.rows_per_month,
  concurrentExports: row.concurrent_exports,
  watchedCarriers: row.watched_carriers,
  feeds: feedsOf(row.feeds ?? "{}"),
  feedsNumber: row.feeds_number,
  grant: grantOf({ scopes: row.scopes, networks: row.allowed_networks, validUntil: row.valid_until }),
});

const feedsByText = new LRUCache<string, Caller["feeds"]>({ max: 100 });

function feedsOf(text: string): Caller["feeds"] {
  const existing = feedsByText.get(text);
  if (existing) return existing;
  const feeds = new Map(Object.entries(JSON.parse(text) as Record<string, string[] | null>));
  feedsByText.set(text, feeds);
  return feeds;
}
