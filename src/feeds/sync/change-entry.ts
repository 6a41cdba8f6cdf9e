import { dayNumber } from "../../platform/clock.ts";
import { columnNames, type Feed, isVolatile } from "../catalogue.ts";
import type { Fields } from "../records/fields.ts";
import { type Condition, meetsText, type Selection } from "../records/selection.ts";
import { NULL_VALUE } from "../versions/column-arrays.ts";
import { type PackedName, packedColumns, wordsOf } from "../versions/packed-columns.ts";
import type { WasHidden } from "./copy-state.ts";

/** A record as its JSON has it. */
export type PlainRecord = Readonly<Record<string, unknown>>;

/** Whether a record meets the conditions of a selection, as a scan of packed columns judges it. */
const matches = (feed: Feed, { conditions }: Selection, record: PlainRecord): boolean =>
  conditions.every((condition) => meets(feed, condition, record));

/** Whether a record is in the states of a selection. */
const isInRegions = ({ regions }: Selection, { state }: PlainRecord): boolean =>
  regions === null || regions.some((region) => region === state);

function meets(feed: Feed, condition: Condition, record: PlainRecord): boolean {
  switch (condition.kind) {
    case "codes":
      return condition.codes.includes(packedValue(feed, condition.column, record));
    case "bits":
      return itemsOf(record[condition.column]).some((item) => {
        const index = wordsOf(feed, condition.column).indexOf(String(item));
        return index >= 0 && (condition.bits & (1 << index)) !== 0;
      });
    case "contains":
    case "texts": {
      const text = record[condition.column];
      return text != null && meetsText(condition, String(text));
    }
    case "range": {
      const value = packedValue(feed, condition.column, record);
      return (
        value !== NULL_VALUE &&
        value >= (condition.min ?? NULL_VALUE) &&
        value <= (condition.max ?? Number.MAX_SAFE_INTEGER)
      );
    }
    case "since":
      return condition.columns.some((column) => packedValue(feed, column, record) >= condition.day);
  }
}

const itemsOf = (list: unknown): readonly unknown[] => (Array.isArray(list) ? list : []);

function packedValue(feed: Feed, name: PackedName, record: PlainRecord): number {
  const value = record[name];
  if (value === null || value === undefined) return NULL_VALUE;
  const column = packedColumns(feed).get(name);
  if (column?.words) return column.words.indexOf(String(value));
  return column?.type === "date" ? dayNumber(String(value)) : Number(value);
}

/** One difference between a customer's copy and the later version. Adding and changing both put the record. */
export type ChangeEntry =
  | { op: "added"; version: number; record_id: string; record: PlainRecord }
  | {
      op: "changed";
      version: number;
      record_id: string;
      record: PlainRecord;
      /** The columns that changed, and what they were. */
      changed: readonly string[];
      before: PlainRecord;
    }
  | { op: "removed"; version: number; record_id: string; reason: string };

/** What the two ends of a way show to the caller. */
export interface Sides {
  feed: Feed;
  /**
   * What the caller's filters select at the earlier version with the states that the plan had when the copy was read. They
   * differ if that is not known: states that it has had since at any moment, and at all of them.
   */
  earlier: { any: Selection; all: Selection };
  /** What plan and filters select at the later version. */
  later: Selection;
  /** The states of the plan; null: every state. */
  planRegions: readonly string[] | null;
}

/** A record at both ends of a way. */
export interface TwoStates {
  recordId: string;
  version: number;
  /** As it was. Only `shownBefore` may be shown: it lacks contacts that are on the removal list now. */
  before: PlainRecord | null;
  shownBefore: PlainRecord | null;
  after: PlainRecord | null;
  /** Why the later version does not have it. */
  reason: string | null;
  /** Whether it is on the removal list, so that nothing of it may be shown. */
  isHidden: boolean;
  /** Whether the copy lacks it although the earlier version has it. */
  wasHidden: WasHidden;
}

/** An entry and what it costs in rows. */
export interface PricedEntry {
  entry: ChangeEntry;
  rows: 0 | 1;
}

/** The entry with these columns alone. It stays an entry where none of them changed. */
export function narrowed(entry: ChangeEntry, fields: Fields): ChangeEntry {
  if (entry.op === "removed") return entry;
  const record = fields.of(entry.record);
  if (entry.op === "added") return { ...entry, record };
  const changed = entry.changed.filter((name) => fields.names.includes(name));
  return { ...entry, record, changed, before: fields.of(entry.before) };
}

/** The entry of a record; null if the caller's copy need not change. */
export function entryOf(sides: Sides, state: TwoStates): PricedEntry | null {
  const { feed, earlier, later } = sides;
  const { recordId: record_id, version, before, shownBefore, after, isHidden, wasHidden } = state;
  if (after === null || isHidden || !matches(feed, later, after)) {
    const mayHave = wasHidden !== "yes" && before !== null && matches(feed, earlier.any, before);
    if (!mayHave) return null;
    return { entry: { op: "removed", version, record_id, reason: reasonOf(sides, state) }, rows: 0 };
  }
  const hasMatched = before !== null && matches(feed, earlier.all, before);
  const changed = hasMatched ? changedColumns(feed, before, after) : null;
  if (changed === null || wasHidden !== "no") {
    // A record of the earlier version that is only shown again is free.
    const rows = changed?.length === 0 ? 0 : 1;
    return { entry: { op: "added", version, record_id, record: after }, rows };
  }
  if (changed.length === 0) return null;
  const shown = Object.fromEntries(changed.map((name) => [name, shownBefore?.[name] ?? null]));
  return { entry: { op: "changed", version, record_id, record: after, changed, before: shown }, rows: 1 };
}

function reasonOf({ later, planRegions }: Sides, { after, reason, isHidden }: TwoStates): string {
  if (isHidden) return "withdrawn";
  if (after === null) return reason ?? "authority_gone";
  return isInRegions({ ...later, regions: planRegions }, after) ? "no_longer_matches" : "outside_regions";
}

const changedColumns = (feed: Feed, before: PlainRecord, after: PlainRecord): string[] =>
  columnNames(feed, (column) => !isVolatile(column)).filter(
    (name) => JSON.stringify(before[name] ?? null) !== JSON.stringify(after[name] ?? null),
  );
