import { dayNumber } from "../../platform/clock.ts";
import type { Feed } from "../catalogue.ts";
import { type Condition, containsPart, type Selection } from "../records/selection.ts";
import { NULL_VALUE } from "../versions/column-arrays.ts";
import { type PackedName, packedColumns, wordsOf } from "../versions/packed-columns.ts";

/** A record as its JSON has it. */
export type PlainRecord = Readonly<Record<string, unknown>>;

/** Whether a record meets the conditions of a selection, as a scan of packed columns judges it. */
export const matches = (feed: Feed, { conditions }: Selection, record: PlainRecord): boolean =>
  conditions.every((condition) => meets(feed, condition, record));

/** Whether a record is in the states of a selection. */
export const isInRegions = ({ regions }: Selection, { state }: PlainRecord): boolean =>
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
    case "contains": {
      const text = record[condition.column];
      return text != null && containsPart(String(text), condition.part);
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
