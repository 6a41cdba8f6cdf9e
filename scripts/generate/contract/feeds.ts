import type { Contract, EventSource, FilterSource, Schema } from "./contract.ts";

/** The feeds, filters and event types of the contract, as src/generated/feeds.ts gives them to the program. */
export interface FeedFacts {
  feeds: ReturnType<typeof feedOf>[];
  filters: ReturnType<typeof filterOf>[];
  events: Record<string, EventSource>;
}

/** Reads the extensions that docs/contract.md describes; throws if the contract contradicts itself. */
export function feedFacts({ document }: Contract): FeedFacts {
  const sources = Object.values(document.components.parameters).filter((each) => each["x-filter"] === true);
  const filters = sources.map(filterOf);
  const feeds = Object.entries(document["x-feeds"]).map(([code, about]) => {
    const allowed = sources.filter((source) => source["x-feeds"].includes(code)).map(({ name }) => name);
    return feedOf(code, about, recordSchemaOf(document.components.schemas, code), allowed);
  });
  const events = document["x-events"];
  const codes = feeds.map(({ code }) => code);
  for (const source of sources) requireKnown(`x-feeds of ${source.name}`, source["x-feeds"], codes);
  for (const [type, event] of Object.entries(events)) requireKnown(`x-events of ${type}`, event.feeds, codes);
  for (const feed of feeds) {
    const names = feed.columns.map(({ name }) => name);
    requireKnown(`record_key of ${feed.code}`, feed.recordKey, names);
    requireKnown(`first_columns of ${feed.code}`, feed.firstColumns, names);
    for (const { name, volatile } of feed.columns)
      requireKnown(`x-volatile of ${name} in ${feed.code}`, Object.values(volatile ?? {}), names);
    for (const source of sources.filter(({ name }) => feed.allowedFilters.includes(name))) {
      requireKnown(`x-column of ${source.name} on ${feed.code}`, [source["x-column"]], names);
      const words = feed.columns.find(({ name }) => name === source["x-column"])?.words;
      if (source.schema.enum)
        requireKnown(`the enum of ${source.name} on ${feed.code}`, source.schema.enum, words ?? []);
    }
  }
  return { feeds, filters, events };
}

/** The value of `x-feeds` for one feed. */
export interface FeedSource {
  name: string;
  country: string;
  cadence: string;
  record_key: string[];
  first_columns: string[];
  sources: string[];
}

const feedOf = (code: string, about: FeedSource, record: Schema, allowedFilters: string[]) => ({
  code,
  name: about.name,
  country: about.country,
  cadence: about.cadence,
  recordKey: about.record_key,
  firstColumns: about.first_columns,
  sources: about.sources,
  allowedFilters,
  columns: Object.entries(record.properties ?? {}).map(([name, schema]) => columnOf(name, schema)),
});

function recordSchemaOf(schemas: Record<string, Schema>, code: string): Schema {
  const [found, ...others] = Object.values(schemas).filter((schema) => schema["x-feed"] === code);
  if (found === undefined || others.length > 0) throw new Error(`One schema must have x-feed: ${code}.`);
  return found;
}

const columnOf = (name: string, schema: Schema) => ({
  name,
  label: labelOf(name, schema),
  kind: kindOf(name, schema),
  isNullable: [schema.type].flat().includes("null"),
  words: (schema.enum ?? schema.items?.enum)?.filter((word) => word !== null) ?? null,
  volatile: schema["x-volatile"] ?? null,
  isYear: schema["x-year"] === true,
  personal: schema["x-personal"] ?? null,
  sources: schema["x-source"] ?? [],
  ...sentencesOf(name, schema),
});

/** A column's description begins with one sentence of what it means; how it is made and where it comes from follow. */
function sentencesOf(name: string, { description = "" }: Schema): { meaning: string; origin: string } {
  const [meaning = "", ...others] = description.trim().split(/(?<=\.)\s+(?=[A-Z])/);
  if (meaning === "") throw new Error(`openapi.yaml: the column ${name} has no description.`);
  return { meaning, origin: others.join(" ") };
}

function labelOf(name: string, { "x-label": label }: Schema): string {
  if (label !== undefined) return label;
  throw new Error(`openapi.yaml: the column ${name} has no x-label, its name on pages for people.`);
}

function kindOf(name: string, { type, format }: Schema): string {
  const [base] = [type].flat().filter((each) => each !== "null");
  if (base === "array") return "list";
  if (base === "integer" || base === "boolean") return base;
  if (base === "string") return format === "date" ? "date" : "text";
  throw new Error(`The column ${name} has a type that feeds do not support: ${base}.`);
}

const filterOf = (source: FilterSource) => ({
  name: source.name,
  column: source["x-column"],
  match: source["x-match"],
  label: source["x-form"].label,
  placeholder: source["x-form"].placeholder ?? null,
  choices: source["x-form"].choices ?? null,
  schema: source.schema,
});

function requireKnown(what: string, names: readonly unknown[], known: readonly unknown[]): void {
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Error(`openapi.yaml: ${what} names ${unknown.join(", ")}, which does not exist.`);
}
