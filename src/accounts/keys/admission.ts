import { LRUCache } from "lru-cache";
import * as sql from "../../generated/sql/accounts/keys.ts";
import { monthEndMs, monthStartOf } from "../../platform/clock.ts";
import type { Context, Database } from "../../platform/context.ts";
import { perDatabase } from "../../platform/database/per-database.ts";
import { tickLoader } from "../../platform/database/tick-loader.ts";
import type { Caller, KnownRows, QuotaState, RateState, Snapshot } from "./caller.ts";
import { grantOf } from "./grant.ts";
import { parseKey } from "./key-format.ts";
import { countNext, type Minute, minuteOf, minutesOf, sorted } from "./key-minute.ts";
import { openOwnerOf, underSituation } from "./situation.ts";

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
 * A request from another address than the key's networks have is counted apart, and not refused here.
 */
export async function admit(
  context: Context,
  presentedKey: string | undefined,
  { knownRows = null, clientAddress = null }: Partial<Pick<Presented, "knownRows" | "clientAddress">> = {},
): Promise<Admission> {
  const parsed = presentedKey === undefined ? null : parseKey(presentedKey);
  if (parsed === null) return { outcome: "invalid_key" };
  const { clock, db, live } = context;
  const { id: keyId, secretHash } = parsed;
  const nowMs = clock.now().getTime();
  const admission = await loaderOf(db).load({ keyId, secretHash, nowMs, knownRows, clientAddress });
  return live === undefined ? admission : ofTestMode(context, live, admission);
}

/** The outcome for a test key: its account is suspended or closed as the live one is, and it may ask for a situation. */
async function ofTestMode(test: Context, live: Context, admission: Admission): Promise<Admission> {
  if (!("caller" in admission)) return admission;
  const { caller } = admission;
  const account = await openOwnerOf(live, caller.accountId);
  if (account === null) return { outcome: "revoked_key" };
  return underSituation(test, { ...admission, caller: { ...caller, suspension: account.suspension } });
}

interface Presented {
  keyId: string;
  secretHash: Buffer;
  nowMs: number;
  knownRows: KnownRows | null;
  clientAddress: string | null;
}

// Prepared once per connection: planning takes five times as long as running.
const loaderOf = perDatabase((db) =>
  tickLoader<Presented, Admission>((batch) => admitBatch(db, batch), { maxBatchSize: 1000 }),
);

/** The requests of a batch that present one secret of a key. */
type Group = readonly [Presented, ...Presented[]];

/** Decides on the requests of a group in their order. */
type Admit = (request: Presented) => Admission;

const INVALID: Admit = () => ({ outcome: "invalid_key" });

/** The keys that this process has read, with what admission read of each. A key that has ended is not among them. */
const knownOf = perDatabase(() => new LRUCache<string, sql.AdmissionRow>({ max: 2_000 }));

async function admitBatch(db: Database, batch: readonly Presented[]): Promise<Admission[]> {
  const groups = [...(Map.groupBy(batch, nameOf) as Map<string, Group & Presented[]>)];
  const nowMs = Math.max(...batch.map((each) => each.nowMs));
  const known = groups.flatMap(([name, group]) => {
    const row = knownOf(db).get(name);
    const isUsable = row !== undefined && (row.valid_until === null || row.valid_until.getTime() > nowMs);
    return isUsable ? [{ name, group, row }] : [];
  });
  const admits = new Map(await admitKnown(db, known, nowMs));
  const others = groups.filter(([name]) => !admits.has(name));
  // A key that has ended or changed is not asked for by what was known of it a second time.
  for (const [name] of others) knownOf(db).delete(name);
  const read = new Map(known.map(({ name, row }) => [name, row]));
  for (const [name, admitOne] of await admitOthers(db, others, nowMs, read)) admits.set(name, admitOne);
  return batch.map((one) => (admits.get(nameOf(one)) ?? INVALID)(one));
}

/** Admits those of whom nothing has changed since they were read, and charges what they are known to get. */
async function admitKnown(
  db: Database,
  known: readonly { name: string; group: Group; row: sql.AdmissionRow }[],
  nowMs: number,
): Promise<[string, Admit][]> {
  if (known.length === 0) return [];
  const month = monthStartOf(new Date(nowMs));
  const counts = known.map(({ group, row }) => sorted(group, row));
  const rows = await sql.admissionOfKnown(db.pool, {
    states: known.map(({ row }) => row.state),
    keyIds: known.map(({ row }) => row.key_id),
    accountIds: known.map(({ row }) => row.account_id),
    minute: minuteOf(nowMs),
    month,
    requests: counts.map(({ requests }) => requests),
    elsewhere: counts.map(({ elsewhere }) => elsewhere),
    rows: known.map(({ group, row }) => group.reduce((sum, one) => sum + rowsOf(row, one), 0)),
    requestsPerMinute: known.map(({ row }) => row.requests_per_minute),
    rowsPerMonth: known.map(({ row }) => row.rows_per_month),
  });
  const admissions = rows.map(({ n, quota_used, is_charged, ...counted }) => {
    const { name, row } = known[n - 1] as (typeof known)[number];
    const isCharged = (one: Presented) => is_charged === true && rowsOf(row, one) > 0;
    const usable = { ...row, ...counted, ...counts[n - 1], quota_used };
    return { name, usable, isCharged };
  });
  const minutes = minutesOf(admissions.map(({ usable }) => usable));
  return admissions.map(({ name, usable, isCharged }) => [
    name,
    admitter(usable, month, minutes.get(usable.key_id), isCharged),
  ]);
}

/** The rows that a request is known to get, if it may be charged them: 0 if its key would read something else now. */
function rowsOf(
  { feeds, served, suspension, api_access }: sql.AdmissionRow,
  { knownRows }: Presented,
): number {
  if (knownRows === null || suspension !== null || !api_access) return 0;
  const { rows, snapshot } = knownRows;
  return snapshot.served === served && snapshot.feeds === (feeds ?? NO_FEEDS) ? rows : 0;
}

/**
 * Reads the keys and their accounts, and charges nothing. Where a key turns out to have networks, its requests are counted by a
 * second statement, which is told how many of them came from elsewhere. Keys in `read` were read before, and their networks
 * never change, so one statement is enough.
 */
async function admitOthers(
  db: Database,
  groups: readonly [string, Group][],
  nowMs: number,
  read: ReadonlyMap<string, sql.AdmissionRow>,
): Promise<[string, Admit][]> {
  if (groups.length === 0) return [];
  const counts = groups.map(([name, group]) => sorted(group, read.get(name) ?? { allowed_networks: null }));
  const month = monthStartOf(new Date(nowMs));
  const rows = await sql.admission(db.pool, {
    keyIds: groups.map(([, [{ keyId }]]) => keyId),
    secretHashes: groups.map(([, [{ secretHash }]]) => secretHash),
    requests: counts.map(({ requests }) => requests),
    elsewhere: counts.map(({ elsewhere }) => elsewhere),
    isSorted: groups.map(
      ([name, group]) => read.has(name) || group.every((one) => one.clientAddress === null),
    ),
    minute: minuteOf(nowMs),
    month,
    now: new Date(nowMs),
  });
  const minutes = minutesOf(rows);
  const uncounted = new Map<string, sql.AdmissionRow>();
  const admits: [string, Admit][] = [];
  for (const row of rows) {
    const name = nameOf({ keyId: row.key_id, secretHash: row.secret_hash });
    const isUsable = !row.is_revoked && !row.is_expired;
    if (isUsable && !row.is_sorted) uncounted.set(name, row);
    else admits.push([name, admitter(row, month, minutes.get(row.key_id), () => false)]);
    if (isUsable && row.is_sorted) knownOf(db).set(name, row);
  }
  const again = groups.filter(([name]) => uncounted.has(name));
  return [...admits, ...(await admitOthers(db, again, nowMs, uncounted))];
}

const nameOf = ({ keyId, secretHash }: Pick<Presented, "keyId" | "secretHash">): string =>
  `${keyId}${secretHash.toString("latin1")}`;

// Decides on the requests of one secret in order of arrival, each by its number in the key's minute.
function admitter(
  row: sql.AdmissionRow,
  month: string,
  counted: Minute | undefined,
  isCharged: (request: Presented) => boolean,
): Admit {
  // Requests of a revoked or expired key are not counted.
  if (row.is_revoked) return () => ({ outcome: "revoked_key" });
  const { valid_until: expiredAt, is_previous: isReplaced } = row;
  if (row.is_expired && expiredAt) return () => ({ outcome: "expired_key", expiredAt, isReplaced });
  if (counted === undefined) throw new Error("A usable key was not counted");
  const caller = callerOf(row);
  const snapshot = { feeds: row.feeds ?? NO_FEEDS, served: row.served };
  const limit = row.requests_per_minute;
  const resetAtSeconds = (counted.minute + 1) * 60;
  // All requests of the batch return the same number of rows left: the number after the batch.
  const quota = {
    limit: row.rows_per_month,
    used: row.quota_used,
    resetAtSeconds: monthEndMs(month) / 1000,
  };
  return (request) => {
    const used = countNext(counted, request, row);
    const rate = { limit, remaining: Math.max(0, limit - used), resetAtSeconds };
    const outcome = used <= limit ? "admitted" : "rate_limited";
    return { outcome, caller, rate, quota, snapshot, isCharged: isCharged(request) };
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
  feeds: feedsOf(row.feeds ?? NO_FEEDS),
  feedsNumber: row.feeds_number,
  grant: grantOf({ scopes: row.scopes, networks: row.allowed_networks, validUntil: row.valid_until }),
});

/** The feeds of a plan that has none. */
const NO_FEEDS = "{}";

const feedsByText = new LRUCache<string, Caller["feeds"]>({ max: 100 });

function feedsOf(text: string): Caller["feeds"] {
  const existing = feedsByText.get(text);
  if (existing) return existing;
  const feeds = new Map(Object.entries(JSON.parse(text) as Record<string, string[] | null>));
  feedsByText.set(text, feeds);
  return feeds;
}
