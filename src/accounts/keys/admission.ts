import { LRUCache } from "lru-cache";
import { monthEndMs, monthStartOf } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import { perDatabase } from "../../platform/database/per-database.ts";
import { tickLoader } from "../../platform/database/tick-loader.ts";
import type { Caller, KnownRows, QuotaState, RateState, Snapshot } from "./caller.ts";
import { parseKey } from "./key-format.ts";
import * as sql from "./statements.ts";

/** The outcome for a presented key. */
export type Admission<More = object> =
  | { outcome: "invalid_key" }
  | { outcome: "revoked_key" }
  | KnownKey<More>;

/** A key of an account, with the state of its minute and of the account's month. */
export type KnownKey<More = object> =
  | ({ outcome: "rate_limited" } & KeyState)
  | ({ outcome: "admitted" } & KeyState & More);

interface KeyState {
  caller: Caller;
  rate: RateState;
  quota: QuotaState;
}

/** What a request that reads a feed learns besides. */
export interface FeedAdmission {
  snapshot: Snapshot;
  /** Whether the account was charged the known rows. */
  isCharged: boolean;
}

/**
 * Finds the caller of a key and counts the request in the key's minute, exactly over any number of processes. A key with
 * a wrong form or checksum never reaches the database. All others of one event-loop turn share one statement.
 */
export async function admit(context: Context, presentedKey: string | undefined): Promise<Admission> {
  const presented = presentedBy(context, presentedKey);
  return presented === null ? { outcome: "invalid_key" } : loaderOf(context.db).load(presented);
}

/**
 * The same for a request that reads a feed. It also takes the snapshot. It charges `knownRows` if the request is
 * admitted, the quota has them, and the snapshot is the same as when they became known.
 */
export async function admitToFeeds(
  context: Context,
  presentedKey: string | undefined,
  knownRows: KnownRows | null,
): Promise<Admission<FeedAdmission>> {
  const presented = presentedBy(context, presentedKey);
  if (presented === null) return { outcome: "invalid_key" };
  return feedsLoaderOf(context.db).load({ ...presented, knownRows });
}

interface Presented {
  keyId: string;
  secretHash: Buffer;
  nowMs: number;
}

function presentedBy({ clock }: Context, presentedKey: string | undefined): Presented | null {
  const parsed = presentedKey === undefined ? null : parseKey(presentedKey);
  return parsed && { keyId: parsed.id, secretHash: parsed.secretHash, nowMs: clock.now().getTime() };
}

const BATCH = { maxBatchSize: 1000 };

// Prepared once per connection: planning takes five times as long as running.
const loaderOf = perDatabase((db) =>
  tickLoader<Presented, Admission>(async (batch) => {
    const groups = byKey(batch);
    const params = paramsOf(groups);
    const { rows } = await sql.admission.prepared(db.pool, params);
    return admissionsOf(batch, { rows, month: params.month }, () => ({}));
  }, BATCH),
);

type FeedReader = Presented & { knownRows: KnownRows | null };

const feedsLoaderOf = perDatabase((db) =>
  tickLoader<FeedReader, Admission<FeedAdmission>>(async (batch) => {
    const groups = byKey(batch);
    const known = groups.map(sumOf);
    const params = paramsOf(groups);
    const { rows } = await sql.admissionToFeeds.prepared(db.pool, {
      ...params,
      rowsOfKeys: known.map((sum) => sum.rows),
      feedsOfKeys: known.map(({ snapshot }) => snapshot.feeds),
      servedOfKeys: known.map(({ snapshot }) => snapshot.served),
    });
    const inSums = new Set(known.flatMap(({ of }) => of));
    return admissionsOf(batch, { rows, month: params.month }, ({ feeds, served, is_charged }, reader) => ({
      snapshot: { feeds: feeds ?? "", served },
      isCharged: is_charged && inSums.has(reader),
    }));
  }, BATCH),
);

const byKey = <One extends Presented>(batch: readonly One[]): One[][] => [
  ...Map.groupBy(batch, nameOf).values(),
];

function paramsOf(groups: readonly (readonly Presented[])[]): sql.AdmissionParams {
  const firsts = groups.map(([first]) => first as Presented);
  const nowMs = Math.max(...groups.flat().map((each) => each.nowMs));
  return {
    keyIds: firsts.map(({ keyId }) => keyId),
    secretHashes: firsts.map(({ secretHash }) => secretHash),
    requests: groups.map((group) => group.length),
    minute: Math.floor(nowMs / 60_000),
    month: monthStartOf(new Date(nowMs)),
  };
}

const NO_SNAPSHOT: Snapshot = { feeds: "", served: "" };

/** The known rows of one key's requests, and whose they are: of those with the same snapshot as the last one. */
function sumOf(group: readonly FeedReader[]): KnownRows & { of: readonly FeedReader[] } {
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

function admissionsOf<One extends Presented, Row extends sql.AdmissionRow, More>(
  batch: readonly One[],
  { rows, month }: { rows: readonly Row[]; month: string },
  moreOf: (row: Row, one: One) => More,
): Admission<More>[] {
  const known = new Map(
    rows.map((row) => {
      const admit = admitter(row, month);
      return [
        nameOf({ keyId: row.key_id, secretHash: row.secret_hash }),
        (one: One): Admission<More> => {
          const admission = admit();
          return admission.outcome === "admitted" ? { ...admission, ...moreOf(row, one) } : admission;
        },
      ] as const;
    }),
  );
  return batch.map((one) => known.get(nameOf(one))?.(one) ?? { outcome: "invalid_key" });
}

// Decides on the requests of one key in order of arrival, each by its number in the minute.
function admitter(row: sql.AdmissionRow, month: string): () => Admission {
  // Requests of a revoked key are not counted.
  if (row.minute === null || row.used_before === null) return () => ({ outcome: "revoked_key" });
  const caller = callerOf(row);
  const limit = row.requests_per_minute;
  const resetAtSeconds = (row.minute + 1) * 60;
  // All requests of the batch are told the same rows: those left after it.
  const quota = {
    limit: row.rows_per_month,
    used: row.quota_used,
    resetAtSeconds: monthEndMs(month) / 1000,
  };
  let used = row.used_before;
  return () => {
    used += 1;
    const rate = { limit, remaining: Math.max(0, limit - used), resetAtSeconds };
    return { outcome: used <= limit ? "admitted" : "rate_limited", caller, rate, quota };
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
  feeds: feedsOf(row.feeds ?? "{}"),
  feedsNumber: row.feeds_number,
});

const feedsByText = new LRUCache<string, Caller["feeds"]>({ max: 100 });

function feedsOf(text: string): Caller["feeds"] {
  const existing = feedsByText.get(text);
  if (existing) return existing;
  const feeds = new Map(Object.entries(JSON.parse(text) as Record<string, string[] | null>));
  feedsByText.set(text, feeds);
  return feeds;
}
