import { type Answer, type Call, type Pages, pagesOf } from "./answer.ts";
import { CALL_OPTIONS, type CallOptions } from "./call.ts";
import type { OptionNames } from "./options.ts";

/** How a list is read. */
export interface PageOptions extends CallOptions {
  /**
   * Entries per request, at least 1; unless given as many as may be: 1,000, of a timeline 500, of connections 50. Records
   * and changes that are sent count against the quota.
   */
  pageSize?: number | undefined;
}

/** The names of the options of a list. */
export const PAGE_OPTIONS: OptionNames<PageOptions> = { pageSize: true, ...CALL_OPTIONS };

/** A list that is asked for by pages while the caller reads. Each loop over it reads from the start. */
export interface PagedList<Page extends { data: readonly unknown[] }>
  extends AsyncIterable<Page["data"][number]> {
  /** The same by pages, as the service sends them. */
  pages(): Pages<Page>;
}

/** The list whose pages have these answers. */
export const listOf = <Page extends { data: readonly unknown[] }>(
  answers: () => AsyncGenerator<Answer<Page>, void, undefined>,
): PagedList<Page> => ({
  pages: () => pagesOf(answers),
  async *[Symbol.asyncIterator]() {
    for await (const { data: page } of answers()) yield* page.data;
  },
});

/** The list whose pages tell the cursor of the next one, from `first` on. */
export const listByCursor = <Page extends { data: readonly unknown[]; next_cursor: string | null }>(
  read: (at: { cursor?: string }) => Call<Page>,
  first?: string | null,
): PagedList<Page> =>
  listOf(async function* answers() {
    for (let cursor = first ?? undefined; ; ) {
      const answer = await read(cursor === undefined ? {} : { cursor }).withResponse();
      yield answer;
      if (answer.data.next_cursor === null) return;
      cursor = answer.data.next_cursor;
    }
  });
