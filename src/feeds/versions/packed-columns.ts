import { type Column, FEEDS, type Feed, type FilteredColumn, filterOf } from "../catalogue.ts";
import { OPEN_WORDS } from "../codes.ts";

/** The dates that `since` compares with its day: at least one of the two must be that day or later. */
export const SINCE_COLUMNS = ["authority_granted", "last_verified"] as const;

export type PackedName = FilteredColumn | (typeof SINCE_COLUMNS)[number];

/** A column that filters, the plan's regions or `since` read. A version stores it as one integer per row. */
export interface PackedColumn {
  name: PackedName;
  /** Its type in the version's table. */
  type: "text" | "boolean" | "integer" | "date";
  /**
   * What the integer is: the number, or days since 1970-01-01; the index of a word in `words`; one bit for each item of a
   * list, in the order of `words`; the index of a text in the version's own list of them.
   */
  form: "number" | "word" | "bits" | "text";
  words: readonly string[] | null;
}

/** A word's index must fit in a signed byte. */
const MOST_WORDS = 128;
/** A bit per word, beside the sign. */
const MOST_BITS = 31;

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
  if (column === undefined) throw new Error(`${feed.code} has no column ${name}, which a filter reads.`);
  const packed = packedFormOf(column);
  if (packed.words && packed.words.length > (packed.form === "bits" ? MOST_BITS : MOST_WORDS)) {
    throw new Error(`No filter can read the column ${name} of ${feed.code}: it has too many words.`);
  }
  return { name, ...packed };
}

function packedFormOf({ name, kind, words }: Column): Omit<PackedColumn, "name"> {
  switch (kind) {
    case "integer":
    case "date":
      return { type: kind, form: "number", words: null };
    case "boolean":
      return { type: kind, form: "word", words: ["false", "true"] };
    case "list":
      return { type: "integer", form: "bits", words: words ?? [] };
    case "text": {
      const known = OPEN_WORDS[name] ?? words;
      return { type: kind, form: known ? "word" : "text", words: known };
    }
  }
}

/**
 * Packed columns that no filter reads: the USDOT numbers, of which the index of businesses is made, and the record hashes, from which
 * checkpoints are made, as their upper and their lower 32 bits.
 */
export type KeyColumn = "usdot" | "digest_high" | "digest_low";

/** SQL over a version's table: the value of each. */
export const KEY_CELLS: Readonly<Record<KeyColumn, string>> = {
  digest_high: "(record_hash >> 32)::integer",
  digest_low: "(record_hash << 32 >> 32)::integer",
  usdot: "usdot",
};

export const KEY_COLUMNS = (Object.keys(KEY_CELLS) as KeyColumn[]).map((name) => ({
  name,
  type: "integer" as const,
  form: "number" as const,
  words: null,
}));
