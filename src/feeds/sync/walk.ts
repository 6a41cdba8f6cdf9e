// Goes through everything that differs between two versions for a caller: first the records that the steps between
// changed, then the rows that differ although no step changed them.

import * as sql from "../../generated/sql/feeds/sync.ts";
import type { Context } from "../../platform/context.ts";
import { indexOfFirst } from "../../platform/index-of-first.ts";
import { removedAmong } from "../../suppression/status.ts";
import { columnNames, isContact } from "../catalogue.ts";
import type { Selection } from "../records/selection.ts";
import { isRemoved, positionsOf } from "../records/visible-rows.ts";
import type { FeedVersion } from "../versions/feed-version.ts";
import { rowsByContact } from "../versions/removals.ts";
import { entryOf, type PlainRecord, type PricedEntry, type Sides } from "./change-entry.ts";
import type { ChangesPosition } from "./changes-cursor.ts";
import { type CopyState, contactsOf, type Returned, type WasHidden, wasHidden } from "./copy-state.ts";
import type { FeedPath } from "./steps.ts";
import { rowsAt, rowsOf, rowsOfBusinesses } from "./version-rows.ts";

/** A way and its ends as a caller sees them. */
export interface Walk extends Sides {
  path: FeedPath;
  /** The later version. */
  version: FeedVersion;
  copy: CopyState;
  returned: Returned;
  /** What filters and plan select at both ends of the way: equal for filters that mean the same. */
  selectedKey: string;
}

/** A place of the walk, and the entry there if there is one. */
export interface Place {
  position: ChangesPosition;
  found: PricedEntry | null;
}

const BATCH = 500;

/** The places after `from`, in the order of the walk. Records are read in batches. */
export async function* placesAfter(
  context: Context,
  walk: Walk,
  from: ChangesPosition,
): AsyncGenerator<Place> {
  if (from.part === "steps") yield* changedBySteps(context, walk, from);
  const row = from.part === "steps" ? 0 : from.row;
  yield* unchangedRows(context, walk, { part: from.part === "removals" ? "removals" : "rows", row });
}

async function* changedBySteps(
  context: Context,
  walk: Walk,
  from: { step: number; ordinal: number },
): AsyncGenerator<Place> {
  const { path } = walk;
  const range = rangeOf(path);
  if (range === null) return;
  for (const step of path.steps.filter(({ id }) => id >= from.step)) {
    let after = step.id === from.step ? from.ordinal : 0;
    for (;;) {
      const rows = await sql.readChanges(context.db.pool, {
        step: step.id,
        after,
        most: BATCH,
        ...range,
      });
      if (rows.length === 0) break;
      for (const { ordinal, found } of await entriesOf(context, walk, step.toVersion, rows)) {
        yield { position: { part: "steps", step: step.id, ordinal }, found };
        after = ordinal;
      }
    }
  }
}

/** The entries for the changes of one step, in their order; null where there is nothing to do to a copy. */
async function entriesOf(
  context: Context,
  walk: Walk,
  toVersion: number,
  rows: readonly sql.ReadChangesRow[],
) {
  const { version } = walk;
  const befores = rows.map(({ before }) => (before === null ? null : (JSON.parse(before) as PlainRecord)));
  const usdots = rows.map(({ usdot }) => usdot);
  const afters = await rowsOfBusinesses(context, version, usdots);
  const hidden = await hiddenAmong(context, walk, usdots, befores);
  return rows.map(({ recordId, usdot, ordinal, reason }, index) => {
    const now = afters.get(recordId);
    const before = befores[index] ?? null;
    const found = entryOf(walk, {
      recordId,
      version: toVersion,
      before,
      shownBefore: hidden.blank(before),
      after: now?.record ?? null,
      reason,
      isHidden: hidden.usdots.has(usdot) || (now !== undefined && isRemoved(version, now.pos)),
      wasHidden: hidden.before(usdot, before),
    });
    return { ordinal, found };
  });
}

/** Rows whose visibility changed between the versions (removal list, plan states) although their data did not. */
async function* unchangedRows(
  context: Context,
  walk: Walk,
  from: { part: "rows" | "removals"; row: number },
): AsyncGenerator<Place> {
  const { path, version } = walk;
  const range = rangeOf(path);
  const rows = await differingRows(context, walk);
  const left = rows.subarray(indexOfFirst(rows.length, (at) => (rows[at] as number) > from.row));
  for (let at = 0; at < left.length; at += BATCH) {
    const positions = left.subarray(at, at + BATCH);
    const found = await rowsAt(context, version, positions);
    const recordIds = found.map(({ recordId }) => recordId);
    // Records that a step changed had their place before.
    const changed =
      range === null || from.part === "removals"
        ? []
        : await sql.changedAmong(context.db.pool, { recordIds, ...range });
    const isChanged = new Set(changed.map(({ recordId }) => recordId));
    const hidden = await hiddenAmong(
      context,
      walk,
      found.map(({ usdot }) => usdot),
      found.map(({ record }) => record),
    );
    for (const { pos, usdot, recordId, record } of found) {
      const state = {
        recordId,
        version: version.id,
        before: record,
        shownBefore: record,
        after: record,
        reason: null,
        isHidden: isRemoved(version, pos),
        wasHidden: hidden.before(usdot, record),
      };
      const isDone = isChanged.has(recordId);
      yield { position: { part: from.part, row: pos }, found: isDone ? null : entryOf(walk, state) };
    }
  }
}

/**
 * Positions, ascending: rows that were removed or shown again, and rows whose match changed with the plan's states or,
 * for filters by days in business, with the day.
 */
async function differingRows(
  context: Context,
  { version, earlier, later, returned }: Walk,
): Promise<Int32Array> {
  const usdots = [...returned.usdots.keys()];
  const contacts = [...returned.contacts.keys()];
  const shown = usdots.length === 0 ? [] : await rowsOf(context, version, usdots);
  const byContact = await rowsByContact(context, version, contacts);
  const differing = new Set([
    ...version.removals.positions,
    ...shown.map(({ pos }) => pos),
    ...contacts.flatMap((contact) => byContact.get(contact) ?? []),
  ]);
  const others = [earlier.any, earlier.all].filter(({ key }) => key !== later.key);
  if (others.length > 0) {
    const now = await selectedRows(context, version, later);
    for (const other of others) {
      const then = await selectedRows(context, version, other);
      for (let row = 1; row <= version.rowCount; row++) if (then[row] !== now[row]) differing.add(row);
    }
  }
  return Int32Array.from(differing).sort();
}

/** By position: 1 for a row that the selection has. */
async function selectedRows(
  context: Context,
  version: FeedVersion,
  selection: Selection,
): Promise<Uint8Array> {
  const listed = await positionsOf(context, version, selection);
  const selected = new Uint8Array(version.rowCount + 1);
  if (listed === null) return selected.fill(1);
  for (const row of listed) selected[row] = 1;
  return selected;
}

/** The steps of a way as readChanges takes them; null when there is none. */
function rangeOf({ steps }: FeedPath) {
  const [first, last] = [steps[0], steps.at(-1)];
  return first && last ? { firstStep: first.id, lastStep: last.id, since: first.takenAt } : null;
}

/** What is removed now, what was when the copy was read, and how to leave removed contacts out of a record. */
async function hiddenAmong(
  context: Context,
  { feed, copy, returned }: Walk,
  usdots: readonly number[],
  records: readonly (PlainRecord | null)[],
) {
  const names = columnNames(feed, isContact);
  const asked = records.flatMap((record) => (record === null ? [] : contactsOf(feed, record)));
  const [removed, blanked] = await Promise.all([
    removedAmong(context, usdots),
    sql.blankedAmong(context.db.pool, { contacts: [...new Set(asked)] }),
  ]);
  const contacts = new Map(
    blanked.flatMap(({ value, number }) => (number === null ? [] : [[value, number] as const])),
  );
  const unshown = new Set(blanked.map(({ value }) => value));
  const lists = { removed: { usdots: removed, contacts }, returned };
  const before = (usdot: number, record: PlainRecord | null): WasHidden =>
    wasHidden(feed, copy, lists, { usdot, record });
  const blank = (record: PlainRecord | null): PlainRecord | null =>
    record === null || unshown.size === 0
      ? record
      : {
          ...record,
          ...Object.fromEntries(
            names.filter((name) => unshown.has(String(record[name]))).map((name) => [name, null]),
          ),
        };
  return { usdots: removed, before, blank };
}
