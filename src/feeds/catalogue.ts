// The feeds, as openapi.yaml has them (docs/contract.md): pages, CSV, filters, publishing and the carrier lookup all read
// them here. How to add a column, a filter or a feed: docs/adding-to-feeds.md.
import { type Column, type Feed, type Filter, type FilterName, feeds, filters } from "../generated/feeds.ts";

export type { Column, Feed, FeedCode, Filter, FilteredColumn, FilterName } from "../generated/feeds.ts";

/** Every feed, in the order of the contract. */
export const FEEDS = feeds;

/** Every filter, in the order of the contract. */
export const FILTERS = filters;

const feedsByCode: ReadonlyMap<string, Feed> = new Map(FEEDS.map((feed) => [feed.code, feed]));
const filtersByName: ReadonlyMap<FilterName, Filter> = new Map(FILTERS.map((each) => [each.name, each]));

/** The feed of that code, if there is one. */
export const feedOf = (code: string): Feed | undefined => feedsByCode.get(code);

export function filterOf(name: FilterName): Filter {
  return filtersByName.get(name) as Filter;
}

/** The names of the feed's columns for which `holds` is true; all unless given. */
export const columnNames = ({ columns }: Feed, holds: (column: Column) => boolean = () => true): string[] =>
  columns.filter(holds).map(({ name }) => name);

/** Whether the column's values change although the registry has nothing new. */
export const isVolatile = ({ volatile }: Column): boolean => volatile !== null;

/** Whether the column's values are blanked when they are an agent's, a shared contact, or on the removal list. */
export const isContact = ({ personal }: Column): boolean => personal === "contact";
