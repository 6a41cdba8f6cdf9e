import { createHash } from "node:crypto";
import type pg from "pg";
import type { Dataset } from "../../carriers/datasets.ts";
import { loadSql } from "../../platform/sql.ts";
import { FEEDS, type Feed, type FeedCode } from "../catalogue.ts";
import { candidateRules, openCandidates } from "../derive/candidates.ts";
import { openRemovalList } from "../derive/removal-list.ts";
import { countLeftOut } from "../explain/left-out.ts";
import { versionTable } from "../version-table.ts";
import { buildVersion } from "./build.ts";
import { countRowsBySource } from "./row-sources.ts";

/** One feed before and after an import. */
export interface PublishedFeed {
  feed: FeedCode;
  version: number;
  rowsBefore: number | null;
  rowsAfter: number;
  isNew: boolean;
  /** Rows by the registry that their status comes from. */
  rowsBySource: Record<string, number>;
  /** Authorities of the feed's classes that are not in it, by rule; null where the version is an older one. */
  leftOut: Record<string, number> | null;
}

interface Current {
  id: number;
  rowCount: number;
  asOf: string;
  fingerprint: string;
}

const derivations = new Map(
  FEEDS.map(({ code, derivation }) => [code, loadSql(import.meta.url, `../derive/${derivation}`)]),
);

/**
 * Builds a new version of every live feed from the registry as the transaction sees it and points readers to all of
 * them at once, when it commits. A feed whose registry, as-of day, rules and removal list are those of its current
 * version keeps it.
 */
export async function publishFeeds(
  client: pg.ClientBase,
  options: {
    /** The newest day inside the rows of each live dataset that was imported. */
    newestRows: ReadonlyMap<Dataset, string>;
    now: Date;
    hasRegistryChanged: boolean;
    onFeed?: (feed: FeedCode) => void;
  },
): Promise<PublishedFeed[]> {
  const { newestRows, now, hasRegistryChanged } = options;
  const agents = await client.query("SELECT kind, value FROM agent_contact ORDER BY kind, value");
  const removalList = await openRemovalList(client);
  const published: PublishedFeed[] = [];
  let candidatesAsOf: string | null = null;
  for (const feed of FEEDS) {
    const derivation = derivations.get(feed.code);
    const asOf = asOfDay(feed, newestRows);
    if (derivation === undefined || asOf === null) continue;
    const fingerprint = fingerprintOf(feed, derivation, [agents.rows, removalList]);
    const current = await currentVersion(client, feed.code);
    if (!hasRegistryChanged && current?.asOf === asOf && current.fingerprint === fingerprint) {
      const { id: version, rowCount } = current;
      const rowsBySource = await countRowsBySource(client, version);
      published.push({
        ...{ feed: feed.code, version, rowsBefore: rowCount, rowsAfter: rowCount, isNew: false },
        ...{ rowsBySource, leftOut: null },
      });
      continue;
    }
    options.onFeed?.(feed.code);
    if (candidatesAsOf !== asOf) await openCandidates(client, asOf);
    candidatesAsOf = asOf;
    const id = await openVersion(client, feed.code, { asOf, fingerprint, now });
    const rows = await buildVersion(client, feed, derivation, id);
    await pointReadersTo(client, feed.code, { id, rows, now });
    published.push({
      ...{
        feed: feed.code,
        version: id,
        rowsBefore: current?.rowCount ?? null,
        rowsAfter: rows,
        isNew: true,
      },
      rowsBySource: await countRowsBySource(client, id),
      leftOut: await countLeftOut(client, feed.code, rows),
    });
  }
  return published;
}

/** A feed is as old as the oldest of the live files it rests on; null while one of them was never imported. */
function asOfDay({ sources }: Feed, newestRows: ReadonlyMap<Dataset, string>): string | null {
  const days = sources.map((source) => newestRows.get(source) ?? null);
  return days.includes(null) ? null : (days.sort()[0] ?? null);
}

function fingerprintOf(feed: Feed, derivation: string, lists: unknown[]): string {
  const rules = JSON.stringify([feed.columns, derivation, candidateRules, lists]);
  return createHash("sha256").update(rules).digest("hex");
}

async function currentVersion(client: pg.ClientBase, feedCode: FeedCode): Promise<Current | undefined> {
  const { rows } = await client.query<Current>(
    `SELECT id, row_count AS "rowCount", as_of AS "asOf", fingerprint
     FROM feed_current JOIN feed_version ON id = version_id WHERE feed_current.feed_code = $1`,
    [feedCode],
  );
  return rows[0];
}

async function openVersion(
  client: pg.ClientBase,
  feedCode: FeedCode,
  version: { asOf: string; fingerprint: string; now: Date },
): Promise<number> {
  const { rows } = await client.query<{ id: number }>(
    `INSERT INTO feed_version (feed_code, as_of, row_count, fingerprint, published_at)
     VALUES ($1, $2, 0, $3, $4) RETURNING id`,
    [feedCode, version.asOf, version.fingerprint, version.now],
  );
  const id = rows[0]?.id;
  if (id === undefined) throw new Error("a feed version was not given a number");
  return id;
}

async function pointReadersTo(
  client: pg.ClientBase,
  feedCode: FeedCode,
  version: { id: number; rows: number; now: Date },
): Promise<void> {
  await client.query("UPDATE feed_version SET row_count = $2 WHERE id = $1", [version.id, version.rows]);
  await client.query(
    `UPDATE feed_version SET replaced_at = $2
     WHERE id = (SELECT version_id FROM feed_current WHERE feed_code = $1)`,
    [feedCode, version.now],
  );
  await client.query(
    `INSERT INTO feed_current (feed_code, version_id) VALUES ($1, $2)
     ON CONFLICT (feed_code) DO UPDATE SET version_id = excluded.version_id`,
    [feedCode, version.id],
  );
}

/** A replaced version stays readable for a day; an hour later nobody can still be in the middle of it. */
const KEPT_AFTER_REPLACED_MS = 25 * 3_600_000;

/** Ends the grace of every replaced version, so that the next sweep removes it. */
export async function expireReplacedVersions(client: pg.ClientBase): Promise<void> {
  await client.query(
    "UPDATE feed_version SET replaced_at = published_at - interval '1 year' WHERE replaced_at IS NOT NULL",
  );
}

/** Removes versions replaced longer ago than readers may still ask for them. Returns how many. */
export async function dropExpiredVersions(client: pg.ClientBase, now: Date): Promise<number> {
  const { rows } = await client.query<{ id: number }>(
    "DELETE FROM feed_version WHERE replaced_at < $1 RETURNING id",
    [new Date(now.getTime() - KEPT_AFTER_REPLACED_MS)],
  );
  for (const { id } of rows) await client.query(`DROP TABLE IF EXISTS ${versionTable(id)}`);
  return rows.length;
}
