import type { CallOptions } from "./call.ts";

/** How a list is read. */
export interface PageOptions extends CallOptions {
  /** Entries per request, 1 to 1,000; 1,000 unless given. Records and changes that are sent count against the quota. */
  pageSize?: number;
}

/** A list that is asked for by pages while the caller reads. Each loop over it reads from the start. */
export interface PagedList<Page extends { data: readonly unknown[] }>
  extends AsyncIterable<Page["data"][number]> {
  /** The same by pages, as the service sends them. */
  pages(): AsyncGenerator<Page, void, undefined>;
}

/** The list that has these pages. */
export const listOf = <Page extends { data: readonly unknown[] }>(
  pages: PagedList<Page>["pages"],
): PagedList<Page> => ({
  pages,
  async *[Symbol.asyncIterator]() {
    for await (const { data } of pages()) yield* data;
  },
});

/** The list whose pages tell the cursor of the next one, from `first` on. */
export const listByCursor = <Page extends { data: readonly unknown[]; next_cursor: string | null }>(
  read: (at: { cursor?: string }) => Promise<Page>,
  first?: string | null,
): PagedList<Page> =>
  listOf(async function* pages() {
    for (let cursor = first ?? undefined; ; ) {
      const page = await read(cursor === undefined ? {} : { cursor });
      yield page;
      if (page.next_cursor === null) return;
      cursor = page.next_cursor;
    }
  });
