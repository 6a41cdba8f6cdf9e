import type pg from "pg";
import * as sql from "../../generated/sql/feeds/publish.ts";
import { type Dataset, isLegacy } from "../../registry/datasets.ts";
import { knownOptionalSources } from "../../registry/source-states.ts";
import { FEEDS, type Feed, type FeedCode } from "../catalogue.ts";
import { derivationOf, openCandidates, openRemovalList } from "../derive/candidates.ts";
import { FEED_RULES } from "../rules/feed-rules.ts";
import { hashOfColumns } from "../versions/version-columns.ts";
import { buildVersion, countLeftOut, countRowsBySource } from "./build.ts";
import { feedJumps } from "./feed-jump.ts";
import { digestOf, rulesOf } from "./feed-rules-hash.ts";
import { recordPublication, rulesOfVersion, type StepCause } from "./step.ts";
import { compareVersions, type VersionChanges } from "./version-changes.ts";

/** One feed before and after an import. */
export interface PublishedFeed {
  feed: FeedCode;
  version: number;
  rowsBefore: number | null;
  rowsAfter: number;
  isNew: boolean;
  /** Rows by the registry that gives their status. */
  rowsBySource: Record<string, number>;
  /** Authorities of the feed's classes that are not in it, by rule. Null when the feed kept its version. */
  leftOut: Record<string, number> | null;
  /** The differences from the version before. Null when there is none to compare with, absent in older reports. */
  changes?: VersionChanges | null;
  /** Sentences about differences that an operator should look at before the version is published. */
  jumps?: string[];
}

/**
 * Builds a new version of every live feed from the registry as the transaction sees it. Readers get all new versions at
 * once, when the transaction commits. A feed keeps its version when registry, as-of day, rules and removal list are the
 * same as for that version.
 */
export async function publishFeeds(
  client: pg.ClientBase,
  options: {
    /** The day of each imported dataset; null for a frozen one. */
    sourceDays: ReadonlyMap<Dataset, string | null>;
    /** Whether the served versions come from another registry, as the demo's do. Then nothing is compared with them. */
    startsAnew?: boolean;
    now: Date;
    /** The limit by which shared contacts were found: an operator's rule. */
    sharedContactLimit: number;
    hasRegistryChanged: boolean;
    /** The registry is that of the served versions, and only the rules are others. Then no difference is a jump. */
    isRebase?: boolean;
    /** The served versions are those of a rebase. */
    isAfterRebase?: boolean;
    onFeed?: (feed: FeedCode) => void;
  },
): Promise<PublishedFeed[]> {
  const {
    sourceDays,
    now,
    sharedContactLimit,
    hasRegistryChanged,
    startsAnew = false,
    isRebase = false,
  } = options;
  const agents = await sql.listAgents(client);
  const removalList = await openRemovalList(client);
  if (startsAnew) await sql.forgetSizes(client);
  const published: PublishedFeed[] = [];
  let candidatesAsOf: string | null = null;
  for (const { feed, asOf } of datedFeeds(sourceDays)) {
    const derivation = derivationOf(feed.code);
    const known = await knownOptionalSources(client, asOf);
    const rules = rulesOf(feed, derivation, sharedContactLimit);
    const fingerprint = digestOf([rules, agents, removalList.hash, known]);
    const current = await sql.findCurrent(client, { feed: feed.code });
    if (!hasRegistryChanged && current && isUpToDate(current, asOf, fingerprint)) {
      published.push(await keptVersion(client, feed, current));
      continue;
    }
    options.onFeed?.(feed.code);
    if (candidatesAsOf !== asOf) await openCandidates(client, asOf);
    candidatesAsOf = asOf;
    const { id, rows, changes } = await publishVersion(client, feed, {
      before: idBefore(current, startsAnew),
      derivation,
      rules,
      fingerprint,
      listState: removalList.state,
      asOf,
      now,
      ...(isRebase && { cause: "rules" }),
    });
    published.push({
      feed: feed.code,
      version: id,
      rowsBefore: current?.rowCount ?? null,
      rowsAfter: rows,
      isNew: true,
      rowsBySource: await countRowsBySource(client, id),
      leftOut: await countLeftOut(client, FEED_RULES[feed.code], rows),
      changes,
      jumps: isRebase
        ? []
        : jumpsOf(feed, current, { rows, changes, asOf, isAfterRebase: options.isAfterRebase }),
    });
  }
  return FEEDS.flatMap(({ code }) => published.filter(({ feed }) => feed === code));
}

const idBefore = (current: sql.FindCurrentRow | undefined, startsAnew: boolean): number | null =>
  startsAnew || current === undefined ? null : current.id;

const isUpToDate = (current: sql.FindCurrentRow, asOf: string, fingerprint: string): boolean =>
  current.asOf === asOf && current.fingerprint === fingerprint && !current.isRolledBack;

/** The report on a feed that keeps its version. */
async function keptVersion(
  client: pg.ClientBase,
  feed: Feed,
  { id: version, rowCount }: sql.FindCurrentRow,
): Promise<PublishedFeed> {
  return {
    feed: feed.code,
    version,
    rowsBefore: rowCount,
    rowsAfter: rowCount,
    isNew: false,
    rowsBySource: await countRowsBySource(client, version),
    leftOut: null,
    changes: null,
    jumps: [],
  };
}

const jumpsOf = (
  feed: Feed,
  before: sql.FindCurrentRow | undefined,
  {
    rows,
    changes,
    ...now
  }: { rows: number; changes: VersionChanges | null; asOf: string; isAfterRebase?: boolean | undefined },
): string[] => {
  if (before === undefined || changes === null) return [];
  const { rowCount: rowsBefore, asOf: asOfBefore } = before;
  return feedJumps({ feed: feed.code, rowsBefore, rowsAfter: rows, changes, asOfBefore, ...now });
};

/** A version that readers get when the transaction commits. */
export interface NewVersion {
  id: number;
  rows: number;
  /** The differences from the version before; null when there is none. */
  changes: VersionChanges | null;
}

/**
 * Builds a version from a derivation, compares it with the one before, and points readers to it. Needs the temporary
 * table of openCandidates as of the version's day.
 */
export async function publishVersion(
  client: pg.ClientBase,
  feed: Feed,
  version: {
    before: number | null;
    derivation: string;
    /** The SHA-256 of the rules by which it is made. */
    rules: string;
    /** Identifies all that it is made from beside the registry: the rules, and lists that change without them. */
    fingerprint: string;
    listState: string;
    asOf: string;
    now: Date;
    /** Given when it is known; else it is the registry, unless the rules differ from those of the version before. */
    cause?: StepCause;
  },
): Promise<NewVersion> {
  const { before, derivation, rules, fingerprint, listState, asOf, now, cause } = version;
  const id = await openVersion(client, feed, { asOf, fingerprint, listState, now });
  const rows = await buildVersion(client, feed, derivation, id);
  const rulesBefore = before === null ? null : await rulesOfVersion(client, before);
  const haveSameRules = rulesBefore === rules;
  const changes =
    before === null ? null : await compareVersions(client, feed, { before, now: id, haveSameRules });
  const step = { feed: feed.code, from: before, to: id, asOf, publishedAt: now, takenAt: now, rules };
  await recordPublication(client, step, { rulesBefore, cause });
  await pointReadersTo(client, feed.code, { id, asOf, rows, now });
  return { id, rows, changes };
}

/** The feeds that have a day. Those of one day follow each other, since they have the same candidates. */
const datedFeeds = (sourceDays: ReadonlyMap<Dataset, string | null>): { feed: Feed; asOf: string }[] =>
  [...Map.groupBy(FEEDS, (feed) => asOfDay(feed, sourceDays))].flatMap(([asOf, feeds]) =>
    asOf === null ? [] : feeds.map((feed) => ({ feed, asOf })),
  );

/**
 * The day of the oldest live file that the feed depends on. Null when one of the files was never imported, or has only
 * rows dated in the future.
 */
function asOfDay({ sources }: Feed, sourceDays: ReadonlyMap<Dataset, string | null>): string | null {
  const isComplete = sources.every(
    (source) => sourceDays.has(source) && (isLegacy(source) || sourceDays.get(source) !== null),
  );
  if (!isComplete) return null;
  const days = sources.flatMap((source) => sourceDays.get(source) ?? []);
  return days.sort()[0] ?? null;
}

async function openVersion(
  client: pg.ClientBase,
  feed: Feed,
  version: { asOf: string; fingerprint: string; listState: string; now: Date },
): Promise<number> {
  const columnsHash = hashOfColumns(feed);
  return (await sql.insertVersion(client, { feed: feed.code, ...version, columnsHash })).id;
}

async function pointReadersTo(
  client: pg.ClientBase,
  feed: FeedCode,
  { id, asOf, rows, now }: { id: number; asOf: string; rows: number; now: Date },
): Promise<void> {
  await sql.setRowCount(client, { id, rows });
  await sql.replaceCurrent(client, { feed, now });
  await sql.pointReaders(client, { feed, id });
  await sql.noteSize(client, { feed, asOf, rows });
}
