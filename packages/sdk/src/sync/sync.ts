import { ask, type Connection } from "../call.ts";
import { listChanges } from "../changes.ts";
import { digestOf } from "../checkpoint.ts";
import { TruckingDataFeedError } from "../errors.ts";
import type { FeedCode, FeedFilters } from "../feeds.ts";
import { listFeeds } from "../generated/operations/sdk.gen.ts";
import type { Checkpoint } from "../generated/operations/types.gen.ts";
import type { PageOptions } from "../pages.ts";
import { refreshRecord } from "../volatile.ts";
import {
  type ChangesPage,
  type Copy,
  type CopyFacts,
  copyFile,
  forgetChanges,
  openChanges,
  readCopy,
  writeCopy,
} from "./local-copy.ts";
import { readWhole } from "./whole-reading.ts";

/** How a copy is brought up to date. A `signal` stops it: the copy stays as it was, and the next run continues. */
export type SyncOptions = PageOptions;

/** What a run did. */
export interface SyncResult extends CopyFacts {
  /** The file: a line about the copy, then a record a line, as JSON. */
  file: string;
  rows: number;
  added: number;
  changed: number;
  removed: number;
  /** Whether all records were read instead of changes: at first, and when the service no longer has the changes. */
  isWhole: boolean;
}

/** How often a whole reading begins again when something changes meanwhile. */
const MOST_READINGS = 5;

/** Brings the copy of a feed in a folder up to date. See TruckingDataFeed.syncFeed. */
export async function syncFeed<Code extends FeedCode>(
  connection: Connection,
  folder: string,
  feed: Code,
  filters: Omit<FeedFilters<Code>, "version" | "since"> | undefined,
  options: SyncOptions = {},
): Promise<SyncResult> {
  const asked = inOrder(JSON.parse(JSON.stringify(filters ?? {})));
  const refused = NO_FILTERS.find((name) => Object.hasOwn(asked, name));
  if (refused !== undefined) {
    throw new TypeError(
      `syncFeed takes no ${refused}. A copy has all columns of all records that match its filters in the newest version.`,
    );
  }
  let copy = await readCopy(folder, feed);
  if (copy !== null && keyOf(copy.filters) !== keyOf(asked)) copy = null;
  const counts = { added: 0, changed: 0, removed: 0 };
  while (copy !== null) {
    const step = await byChanges(connection, folder, copy, options);
    for (const op of OPS) counts[op] += step?.counts[op] ?? 0;
    if (step?.isNewest) return { ...factsOf(step.copy, folder), ...counts, isWhole: false };
    copy = step?.copy ?? null;
  }
  return whole(connection, folder, feed, asked, options);
}

/** What programs without types may pass like a filter. */
const NO_FILTERS = ["fields", "since", "version"];

const inOrder = (filters: CopyFacts["filters"]): CopyFacts["filters"] =>
  Object.fromEntries(Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1)));

/** The same for filters that the service takes as the same: a list's values have no order. */
const keyOf = (filters: CopyFacts["filters"]): string =>
  JSON.stringify(inOrder(filters), (_name, value) => (Array.isArray(value) ? [...value].sort() : value));

const OPS = ["added", "changed", "removed"] as const;

/** A copy after changes. */
interface Step {
  copy: Copy;
  counts: Pick<SyncResult, (typeof OPS)[number]>;
  /** False when an earlier run began to read the changes: they end at the version that was the newest then. */
  isNewest: boolean;
}

const NO_LONGER_TOLD: readonly string[] = ["version_expired", "cursor_expired", "invalid_request"];

/** Null when the service no longer has the changes since the copy, or when they did not lead to the version. */
async function byChanges(
  connection: Connection,
  folder: string,
  copy: Copy,
  options: SyncOptions,
): Promise<Step | null> {
  const read = await openChanges(folder, copy);
  const isNewest = read.pages.length === 0;
  try {
    const cursor = read.pages.at(-1)?.next_cursor;
    const { feed, version, removals } = copy;
    const filters = { ...copy.filters, ...(removals === undefined ? {} : { since_removals: removals }) };
    if (cursor !== null) {
      const rest = listChanges(connection, feed as FeedCode, version, filters, { ...options, cursor });
      for await (const page of rest.pages()) await read.add(page);
    }
  } catch (error) {
    if (!(error instanceof TruckingDataFeedError) || !NO_LONGER_TOLD.includes(error.code)) throw error;
    await forgetChanges(folder, copy.feed);
    // Pages that an earlier run began with may end while this one could still begin anew.
    return read.pages.length > 0 ? byChanges(connection, folder, copy, options) : null;
  } finally {
    await read.close();
  }
  const { next, counts, checkpoint } = applied(copy, read.pages);
  if (!(await agrees(connection, next, checkpoint, options))) {
    await forgetChanges(folder, copy.feed);
    return null;
  }
  await writeCopy(folder, next);
  return { copy: next, counts, isNewest };
}

/** The copy after all pages of changes. */
function applied(copy: Copy, pages: readonly ChangesPage[]) {
  const { meta, as_of: asOf } = pages.at(-1) as ChangesPage;
  const counts = { added: 0, changed: 0, removed: 0 };
  const records = new Map(copy.records);
  for (const change of pages.flatMap(({ data }) => data)) {
    counts[change.op] += 1;
    if (change.op === "removed") records.delete(change.record_id);
    else records.set(change.record_id, change.record);
  }
  const days = { as_of: asOf, verified_on: { ...meta.verified_on } };
  for (const [id, record] of records) records.set(id, refreshRecord(record, days));
  const removals = meta.checkpoint?.removals ?? undefined;
  const next: Copy = { ...copy, version: meta.to_version, removals, asOf, records };
  return { next, counts, checkpoint: meta.checkpoint };
}

async function whole(
  connection: Connection,
  folder: string,
  feed: FeedCode,
  filters: CopyFacts["filters"],
  options: SyncOptions,
): Promise<SyncResult> {
  for (let reading = 1; ; reading += 1) {
    const read = await readWhole(connection, feed, filters, options);
    if (read !== null && (await agrees(connection, read.copy, read.checkpoint, options))) {
      await writeCopy(folder, read.copy);
      const counts = { added: read.copy.records.size, changed: 0, removed: 0 };
      return { ...factsOf(read.copy, folder), ...counts, isWhole: true };
    }
    if (reading === MOST_READINGS) {
      const detail = `${feed} changed during each of ${MOST_READINGS} readings. Try again later.`;
      throw new TruckingDataFeedError({ code: "unexpected_answer", detail });
    }
  }
}

/** Whether a copy has the checkpoint of its version. A version without one is taken as it is. */
async function agrees(
  connection: Connection,
  { feed, records }: Copy,
  checkpoint: Checkpoint | null | undefined,
  { pageSize: _, ...options }: SyncOptions,
): Promise<boolean> {
  if (!checkpoint) return true;
  if (checkpoint.rows !== records.size) return false;
  const { data: feeds } = await ask(connection, (sent) => listFeeds(sent), options);
  const found = feeds.find(({ code }) => code === feed);
  const columns = (found?.columns ?? []).filter((name) => !found?.volatile_columns?.includes(name));
  return digestOf(records.values(), columns) === checkpoint.digest;
}

const factsOf = ({ records, ...facts }: Copy, folder: string) => ({
  ...facts,
  file: copyFile(folder, facts.feed),
  rows: records.size,
});
