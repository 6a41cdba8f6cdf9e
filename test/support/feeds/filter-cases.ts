import type { FilterName } from "../../../src/feeds/catalogue.ts";
import type { FeedRecord } from "./published-feed.ts";

/** Whether a record belongs to the answer. */
type Holds = (record: FeedRecord) => boolean;

export interface GoodCase {
  filter: FilterName;
  /** As written in the address. */
  query: string;
  holds: Holds;
  /** Matches no record, every record, or every record that has a value; all other cases match some of them. */
  finds?: "none" | "all" | "valued";
}

const isIn = (name: string, words: readonly string[]): Holds => {
  return (record) => words.includes(String(record[name]));
};
const number = (value: FeedRecord[string] | undefined): number =>
  value == null ? Number.NaN : Number(value);

export const state = (query: string, states: string[], finds?: GoodCase["finds"]): GoodCase => ({
  filter: "state",
  query,
  holds: isIn("state", states),
  ...(finds && { finds }),
});
export const trucksMin = (units: number, finds?: GoodCase["finds"]): GoodCase => ({
  filter: "trucks_min",
  query: `trucks_min=${units}`,
  ...(finds && { finds }),
  holds: ({ power_units: value }) => number(value) >= units,
});
export const trucksMax = (units: number, query = `trucks_max=${units}`): GoodCase => ({
  filter: "trucks_max",
  query,
  holds: ({ power_units: value }) => number(value) <= units,
});
export const granted = (day: string, finds?: GoodCase["finds"]): GoodCase => ({
  filter: "granted_since",
  query: `granted_since=${day}`,
  ...(finds && { finds }),
  holds: ({ authority_granted: value }) => value != null && String(value) >= day,
});
export const minDays = (days: number, finds?: GoodCase["finds"]): GoodCase => ({
  filter: "min_days_in_business",
  query: `min_days_in_business=${days}`,
  ...(finds && { finds }),
  holds: ({ days_in_business: value }) => number(value) >= days,
});
export const maxDays = (days: number): GoodCase => ({
  filter: "max_days_in_business",
  query: `max_days_in_business=${days}`,
  holds: ({ days_in_business: value }) => number(value) <= days,
});
export const word = (
  filter: FilterName,
  column: string,
  sent: string,
  words: string[] = [sent],
): GoodCase => ({
  filter,
  query: `${filter}=${encodeURIComponent(sent)}`,
  holds: isIn(column, words),
});
export const zone = (sent: string, zones: string[] = [sent]): GoodCase =>
  word("time_zone", "time_zone", sent, zones);

export const cargo = (query: string, words: string[]): GoodCase => ({
  filter: "cargo",
  query,
  holds: ({ cargo: hauled }) => Array.isArray(hauled) && words.some((word) => hauled.includes(word)),
});
export const insurer = (sent: string, part: string): GoodCase => ({
  filter: "insurer",
  query: `insurer=${encodeURIComponent(sent)}`,
  holds: ({ insurer: name }) => name !== null && String(name).toUpperCase().includes(part),
});
export const insurers = (query: string, names: string[]): GoodCase => ({
  filter: "insurer_is",
  query,
  holds: isIn("insurer", names),
});
export const cancelled = (day: string, finds?: GoodCase["finds"]): GoodCase => ({
  filter: "cancellation_before",
  query: `cancellation_before=${day}`,
  ...(finds && { finds }),
  holds: ({ cancellation_pending: value }) => value != null && String(value) < day,
});
export const ofEveryValue = (one: GoodCase): GoodCase => ({ ...one, finds: "valued" });
export const excluded = (sent: string): GoodCase => ({
  filter: "exclude_individuals",
  query: `exclude_individuals=${sent}`,
  holds: ({ is_individual: isIndividual }) => isIndividual === false,
});
export const notExcluded = (sent: string): GoodCase => ({
  filter: "exclude_individuals",
  query: `exclude_individuals=${sent}`,
  holds: () => true,
  finds: "all",
});
