import { FEEDS, type Feed, type FilteredColumn, filterOf } from "../catalogue.ts";
import { OPEN_WORDS } from "../codes.ts";

/** The dates that `since` compares with its day: at least one of the two must be that day or later. */
export const SINCE_COLUMNS = ["authority_granted", "last_verified"] as const;

export type PackedName = FilteredColumn | (typeof SINCE_COLUMNS)[number];

/** A column that filters, the plan's regions or `since` read. A version stores it as one integer per row. */
export interface PackedColumn {
  name: PackedName;
  /** Its type in the version's table. */
  type: "text" | "boolean" | "integer" | "date";
  /** A value is stored as its index in this list; null: as the number, or as days since 1970-01-01. */
  words: readonly string[] | null;
}

/** A word's index must fit in a signed byte. */
const MOST_WORDS = 128;

const packedColumnsByFeed = new Map(FEEDS.map((feed) => [feed.code, packedColumnsOf(feed)]));

/** Every packed column of a feed, by name. Part of a version's fingerprint. */
export const packedColumns = (feed: Feed): ReadonlyMap<PackedName, PackedColumn> =>
  packedColumnsByFeed.get(feed.code) as ReadonlyMap<PackedName, PackedColumn>;

/** The list of words whose indexes a packed column stores. */
export function wordsOf(feed: Feed, name: PackedName): readonly string[] {
  const words = packedColumns(feed).get(name)?.words;
  if (!words) throw new Error(`The column ${name} of ${feed.code} has no list of words.`);
  return words;
}

function packedColumnsOf(feed: Feed): ReadonlyMap<PackedName, PackedColumn> {
  const filtered = feed.allowedFilters.map((name) => filterOf(name).column);
  const names = new Set<PackedName>(["state", ...SINCE_COLUMNS, ...filtered]);
  return new Map([...names].map((name) => [name, packedColumnOf(feed, name)]));
}

function packedColumnOf(feed: Feed, name: PackedName): PackedColumn {
  const column = feed.columns.find((each) => each.name === name);
  switch (column?.kind) {
    case "integer":
    case "date":
      return { name, type: column.kind, words: null };
    case "boolean":
      return { name, type: column.kind, words: ["false", "true"] };
    case "text": {
      const words = OPEN_WORDS[name] ?? column.words;
      if (words && words.length <= MOST_WORDS) return { name, type: column.kind, words };
    }
  }
  throw new Error(
    `No filter can read the column ${name} of ${feed.code}: it is a list or text without a list of words.`,
  );
}
