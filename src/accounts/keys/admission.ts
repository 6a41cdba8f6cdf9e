import { LRUCache } from "lru-cache";
import { monthStartOf } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import { perDatabase } from "../../platform/database/per-database.ts";
import { tickLoader } from "../../platform/database/tick-loader.ts";
import type { Caller, KnownRows, RateState, Snapshot } from "./caller.ts";
import { parseKey } from "./key-format.ts";
import * as sql from "./statements.ts";

/** The outcome for a presented key. */
export type Admission<More = object> =
  | { outcome: "invalid_key" }
  | { outcome: "revoked_key" }
  | KnownKey<More>;

/** A key of an account, with the state of its minute. */
export type KnownKey<More = object> =
  | { outcome: "rate_limited"; caller: Caller; rate: RateState }
  | ({ outcome: "admitted"; caller: Caller; rate: RateState } & More);

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
    const { rows } = await sql.admission.prepared(db.pool, paramsOf(groups));
    return admissionsOf(batch, rows, () => ({}));
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
      month: monthStartOf(new Date(params.minute * 60_000)),
      rowsOfKeys: known.map((sum) => sum.rows),
      feedsOfKeys: known.map(({ snapshot }) => snapshot.feeds),
      servedOfKeys: known.map(({ snapshot }) => snapshot.served),
    });
    const inSums = new Set(known.flatMap(({ of }) => of));
    return admissionsOf(batch, rows, ({ feeds, served, is_charged }, reader) => ({
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
  return {
    keyIds: firsts.map(({ keyId }) => keyId),
    secretHashes: firsts.map(({ secretHash }) => secretHash),
    requests: groups.map((group) => group.length),
    minute: Math.floor(Math.max(...groups.flat().map(({ nowMs }) => nowMs)) / 60_000),
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
  rows: readonly Row[],
  moreOf: (row: Row, one: One) => More,
): Admission<More>[] {
  const known = new Map(
    rows.map((row) => {
      const admit = admitter(row);
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
  feeds: feedsOf(row.feeds ?? "{}"),
});

const feedsByText = new LRUCache<string, Caller["feeds"]>({ max: 100 });

function feedsOf(text: string): Caller["feeds"] {
  const existing = feedsByText.get(text);
  if (existing) return existing;
  const feeds = new Map(Object.entries(JSON.parse(text) as Record<string, string[] | null>));
  feedsByText.set(text, feeds);
  return feeds;
}
