import type { Contract } from "./contract.ts";
import { feedFacts } from "./feeds.ts";

/** The feeds with their columns, the filters and the event types of the contract, as data and as types. */
export function feedsFile(contract: Contract): string {
  const { feeds, filters, events } = feedFacts(contract);
  return `${HEAD}
export type FeedCode = ${union(feeds.map(({ code }) => code))};
export type FilterName = ${union(filters.map(({ name }) => name))};
/** The columns that filters read. */
export type FilteredColumn = ${union(filters.map(({ column }) => column))};
export type EventType = ${union(Object.keys(events))};

/** Every feed, in the order of the contract. */
export const feeds: readonly Feed[] = ${JSON.stringify(feeds, null, 2)};

/** Every filter, in the order of the contract. */
export const filters: readonly Filter[] = ${JSON.stringify(filters, null, 2)};

/** Every event type, in the order of the contract, with the feeds of which a plan needs one to see it. */
export const events: Readonly<Record<EventType, EventFacts>> = ${JSON.stringify(events, null, 2)};
`;
}

const union = (names: readonly string[]): string =>
  [...new Set(names)].map((name) => JSON.stringify(name)).join(" | ");

const HEAD = `// Written by \`npm run generate\` from openapi.yaml: feeds, columns, filters and event types (docs/contract.md).
import type { Dataset } from "../registry/datasets.ts";

export interface Column {
  /** In JSON and CSV. */
  name: string;
  /** Its name on pages for people. */
  label: string;
  /** A list is a JSON array of texts, in the order of \`words\`; in CSV its values are joined by \`;\`. */
  kind: "text" | "integer" | "boolean" | "date" | "list";
  isNullable: boolean;
  /** Every value it, or an item of a list, can have, where the contract lists them. */
  words: readonly string[] | null;
  /**
   * Of a value that changes although the registry has nothing new, how it follows from the column named: the version's
   * \`verified_on\` for its word, or the days since its date.
   */
  volatile: { verified_on: string } | { days_since: string } | null;
  /** A calendar year: pages write it without separators. */
  isYear: boolean;
  /** Identifies a business or reaches it: the value stays out of reports. A contact is blanked on request. */
  personal: "identity" | "contact" | null;
  /** The optional registry files that the value comes from: it is null while none of them is known. */
  sources: readonly Dataset[];
  /** One sentence. */
  meaning: string;
  /** How it is made and where it comes from; empty when the meaning says it. */
  origin: string;
}

export interface Feed {
  code: FeedCode;
  name: string;
  country: "US";
  cadence: "daily" | "weekly";
  /** The columns that together identify a record. */
  recordKey: readonly string[];
  /** The columns that pages for people show unless others are chosen. */
  firstColumns: readonly string[];
  /**
   * The registry files that it depends on. It is not live until all were imported; its \`as_of\` is that of the oldest
   * of the files with dates.
   */
  sources: readonly Dataset[];
  /** In the order of the contract. */
  allowedFilters: readonly FilterName[];
  /** In the order of JSON members and CSV cells. */
  columns: readonly Column[];
}

export interface Filter {
  name: FilterName;
  /** The column that it reads. */
  column: FilteredColumn;
  /** How it compares (docs/contract.md): days are counted back from the feed's \`as_of\`. */
  match: "any_of" | "at_least" | "at_most" | "before" | "days_at_least" | "days_at_most" | "contains" | "not";
  /** Its name in a form. */
  label: string;
  /** The text of an empty field in a form. */
  placeholder: string | null;
  /** The names of some values in a form. */
  choices: Readonly<Record<string, string>> | null;
  /** The JSON Schema of its value. */
  schema: FilterSchema;
}

export interface FilterSchema {
  type?: string;
  format?: string;
  enum?: readonly string[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
  items?: FilterSchema;
}

export interface EventFacts {
  /** Its name on pages for people. */
  label: string;
  /** What its colour on pages says. */
  tone: "good" | "warn" | "bad" | "info" | "plain";
  /** Its news as a sentence. Null: the program makes it from the details of the event. */
  sentence: string | null;
  feeds: readonly FeedCode[];
}
`;
