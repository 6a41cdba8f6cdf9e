import { createHash } from "node:crypto";
import type pg from "pg";
import type { FeedCode } from "../../../src/feeds/catalogue.ts";
import type { FeedRecord } from "./published-feed.ts";

const VOLATILE = ["last_verified", "days_in_business"];

const contentOf = (record: FeedRecord): [string, FeedRecord[string]][] =>
  Object.entries(record).filter(([name]) => !VOLATILE.includes(name));

/** A record's share in the digest of a checkpoint, as the contract says. */
export function contentHash(record: FeedRecord): bigint {
  const texts = contentOf(record).map(([, value]) =>
    Array.isArray(value) ? value.join(";") : String(value ?? ""),
  );
  return BigInt.asIntN(64, createHash("sha256").update(texts.join("\u001f")).digest().readBigUInt64BE());
}

interface Change {
  record_id: string;
  usdot: number;
  before: string | null;
  reason: string | null;
  state: string;
  kind: "added" | "changed" | "removed";
}

/** Writes the step from the feed's current version to a new one, and its changes. Records are compared by record_id. */
export async function writeStep(
  client: pg.ClientBase,
  feedCode: FeedCode,
  {
    id,
    records,
    asOf,
    now,
    startsAnew = false,
  }: { id: number; records: readonly FeedRecord[]; asOf: string; now: Date; startsAnew?: boolean },
): Promise<void> {
  const current = await client.query<{ id: number }>(
    "SELECT version_id AS id FROM feed_current WHERE feed_code = $1",
    [feedCode],
  );
  const from = startsAnew ? null : (current.rows[0]?.id ?? null);
  const changes = from === null ? [] : changesOf(await recordsOf(client, from), records);
  const { rows } = await client.query<{ id: number }>(
    `INSERT INTO feed_step (id, feed_code, from_version, to_version, as_of, published_at, taken_at, cause, rules, states)
     SELECT coalesce(max(id), 0) + 1, $1, $2::integer, $3::integer, $4::date, $5::timestamptz, $5, 'registry', 'test', $6::jsonb
     FROM feed_step RETURNING id`,
    [feedCode, from, id, asOf, now, statesOf(records, changes)],
  );
  await client.query(
    `INSERT INTO feed_change (step_id, ordinal, taken_at, record_id, usdot, before, reason)
     SELECT $1, row_number() OVER (), $2, record_id, usdot, before, reason
     FROM jsonb_to_recordset($3) AS change (record_id text, usdot integer, before text, reason text)`,
    [rows[0]?.id, now, JSON.stringify(changes)],
  );
}

async function recordsOf(client: pg.ClientBase, version: number): Promise<FeedRecord[]> {
  const { rows } = await client.query<{ json: string }>(
    `SELECT json FROM published.feed_${version} ORDER BY pos`,
  );
  return rows.map(({ json }) => JSON.parse(json));
}

function changesOf(before: readonly FeedRecord[], now: readonly FeedRecord[]): Change[] {
  const byId = (records: readonly FeedRecord[]) =>
    new Map(records.map((record) => [String(record.record_id), record]));
  const [earlier, later] = [byId(before), byId(now)];
  const changeOf = (record: FeedRecord, kind: Change["kind"]): Change => {
    const was = earlier.get(String(record.record_id));
    return {
      record_id: String(record.record_id),
      usdot: Number(record.dot_number),
      before: was ? JSON.stringify(was) : null,
      reason: kind === "removed" ? "authority_not_active" : null,
      state: String(record.state ?? ""),
      kind,
    };
  };
  return [
    ...[...later].flatMap(([id, record]) => {
      const was = earlier.get(id);
      if (!was) return [changeOf(record, "added")];
      const isSame = JSON.stringify(contentOf(was)) === JSON.stringify(contentOf(record));
      return isSame ? [] : [changeOf(record, "changed")];
    }),
    ...[...earlier].flatMap(([id, record]) => (later.has(id) ? [] : [changeOf(record, "removed")])),
  ];
}

/** Rows, digest and changes of each state, as JSON. */
function statesOf(records: readonly FeedRecord[], changes: readonly Change[]): string {
  const states = new Set([
    ...records.map(({ state }) => String(state ?? "")),
    ...changes.map(({ state }) => state),
  ]);
  const countsOf = (state: string) => {
    const [rows, changed] = [
      records.filter((record) => String(record.state ?? "") === state),
      changes.filter((change) => change.state === state),
    ];
    const count = (kind: Change["kind"]) => changed.filter((change) => change.kind === kind).length;
    const digest = rows.reduce((sum, record) => sum + contentHash(record), 0n);
    return {
      rows: rows.length,
      digest: String(digest),
      added: count("added"),
      changed: count("changed"),
      removed: count("removed"),
    };
  };
  return JSON.stringify(Object.fromEntries([...states].map((state) => [state, countsOf(state)])));
}
