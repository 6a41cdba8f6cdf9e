import type { components } from "../../../src/generated/types.ts";

export type EventOut = components["schemas"]["EventOut"];
type EventsOut = components["schemas"]["EventsOut"];

/** A reader of a list with cursors, such as GET /v1/events, that continues from its last cursor. */
export interface EventFollower<Item = EventOut> {
  /** Everything that it received, in order. */
  readonly seen: Item[];
  /** The number of events on each page. */
  readonly pageSizes: number[];
  /** The as-of time of each page. */
  readonly asOfs: string[];
  /** The cursor of its next page; null before its first page. */
  cursor(): string | null;
  /** Reads pages until there are no more. */
  catchUp(): Promise<void>;
}

/** The queries of a follower: that of its n-th page, from 0 (such as `type=reinstated&limit=7`), and its start. */
export interface Following {
  get: (path: string) => Promise<Response>;
  /** /v1/events unless given. */
  path?: string;
  queryOf: (page: number) => string;
  /** A cursor; without it the query says where to begin. */
  from?: string | null;
}

export function followEvents<Item = EventOut>({
  get,
  path = "/v1/events",
  queryOf,
  from = null,
}: Following): EventFollower<Item> {
  const seen: Item[] = [];
  const pageSizes: number[] = [];
  const asOfs: string[] = [];
  let cursor = from;
  const readPage = async (): Promise<boolean> => {
    const cursorQuery = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const answer = await get(`${path}?${queryOf(pageSizes.length)}${cursorQuery}`);
    if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
    const page = (await answer.json()) as Omit<EventsOut, "data"> & { data: Item[] };
    seen.push(...page.data);
    pageSizes.push(page.data.length);
    asOfs.push(page.as_of);
    cursor = page.next_cursor ?? page.meta.resume_cursor;
    return page.next_cursor !== null;
  };
  return {
    seen,
    pageSizes,
    asOfs,
    cursor: () => cursor,
    catchUp: async () => {
      while (await readPage()) {
        // That page said that there is another.
      }
    },
  };
}
