// What a person asked to see of a feed: filters, columns and order, as the address has them.
import type { Column, Feed } from "../../../feeds/catalogue.ts";
import type { FeedQuery } from "../../../feeds/records/records.ts";
import { type Sort, sortableColumns } from "../../../feeds/records/sorted-rows.ts";
import type { AskedName } from "../parts/feeds/filter-fields.ts";

/** What is asked for by filter, as typed, without empty ones. Values of a list are separated by commas. */
export type Asked = ReadonlyMap<AskedName, string>;

export interface View {
  asked: Asked;
  /** The columns to show, the company first. */
  columns: readonly Column[];
  sort: Sort | null;
  page: number;
  /** Names of columns, filters or an order that the feed does not have. */
  unknown: readonly string[];
}

/** The column that is always shown, and does not scroll away. */
export const COMPANY = "company";

/** The names that a feed's page can be asked by. */
export const askedNames = (feed: Feed): AskedName[] => [...feed.allowedFilters, "since"];

const OTHER_NAMES: readonly string[] = ["columns", "sort", "page", "done", "account"];

/** Reads the query of an address, or a saved one. */
export function viewOf(feed: Feed, query: URLSearchParams): View {
  const names = askedNames(feed);
  const asked = names.flatMap((name): [AskedName, string][] => {
    const value = textOf(query, name);
    return value === "" ? [] : [[name, value]];
  });
  const wanted = textOf(query, "columns")
    .split(",")
    .filter((name) => name !== "" && name !== COMPANY);
  const known = wanted.filter((name) => columnOf(feed, name) !== undefined);
  const sort = textOf(query, "sort");
  const sorted = sortOf(feed, sort);
  return {
    asked: new Map(asked),
    columns: columnsOf(feed, known.length > 0 ? known : feed.firstColumns),
    sort: sorted,
    page: Math.max(1, Math.trunc(Number(textOf(query, "page"))) || 1),
    unknown: [
      ...unknownNames(feed, query),
      ...wanted.filter((name) => !known.includes(name)),
      ...(sort !== "" && sorted === null ? [sort] : []),
    ],
  };
}

/** Names in the query that are no filter of the feed and mean nothing else to its page. */
export function unknownNames(feed: Feed, query: URLSearchParams): string[] {
  const known: readonly string[] = [...askedNames(feed), ...OTHER_NAMES];
  return [...new Set(query.keys())].filter((name) => !known.includes(name));
}

/** All values of a name, separated by commas: boxes of one name are sent one by one. */
const textOf = (query: URLSearchParams, name: string): string =>
  query
    .getAll(name)
    .map((value) => value.trim())
    .filter((value) => value !== "")
    .join(",");

const columnOf = (feed: Feed, name: string): Column | undefined =>
  feed.columns.find((column) => column.name === name);

const columnsOf = (feed: Feed, names: readonly string[]): Column[] =>
  [...new Set([COMPANY, ...names])].map((name) => columnOf(feed, name) as Column);

function sortOf(feed: Feed, text: string): Sort | null {
  const isDescending = text.startsWith("-");
  const column = sortableColumns(feed).find((name) => name === text.slice(isDescending ? 1 : 0));
  return column === undefined ? null : { column, isDescending };
}

/** Whether the address has values as boxes and empty fields send them, not as `searchOf` writes them. */
export const isSentByForm = (query: URLSearchParams): boolean =>
  [...query].some(([name, value]) => value.trim() === "" || query.getAll(name).length > 1);

/** The query of a view, empty or from its question mark on. */
export function searchOf(feed: Feed, { asked, columns, sort, page }: View): string {
  const chosen = columns.map(({ name }) => name);
  const isFirst =
    chosen.join() ===
    columnsOf(feed, feed.firstColumns)
      .map(({ name }) => name)
      .join();
  return searchFrom([
    ...asked,
    ...(isFirst ? [] : [["columns", chosen.slice(1).join()] as const]),
    ...(sort === null ? [] : [["sort", `${sort.isDescending ? "-" : ""}${sort.column}`] as const]),
    ...(page === 1 ? [] : [["page", String(page)] as const]),
  ]);
}

/** The query of a view's columns and order alone. */
export const searchWithoutFilters = (feed: Feed, view: View): string =>
  searchOf(feed, { ...view, asked: new Map(), page: 1 });

/** A query of these names and values. Commas stay readable. */
export function searchFrom(entries: readonly (readonly [name: string, value: string])[]): string {
  const query = new URLSearchParams(entries.map(([name, value]) => [name, value]));
  return query.size === 0 ? "" : `?${query.toString().replaceAll("%2C", ",")}`;
}

/** The filters as the modules below take them. */
export function feedQueryOf(asked: Asked): Pick<FeedQuery, "filters" | "since"> {
  const since = asked.get("since");
  const filters = new Map(
    [...asked].filter(([name]) => name !== "since").map(([name, value]) => [name, [value]]),
  );
  return since === undefined ? { filters } : { filters, since };
}
