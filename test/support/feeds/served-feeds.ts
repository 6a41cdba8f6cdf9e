import { createHash } from "node:crypto";
import { FEEDS } from "../../../src/feeds/catalogue.ts";
import type { components } from "../../../src/generated/types.ts";
import type { Context } from "../../../src/platform/context.ts";
import type { TestService } from "../service.ts";

/** The feeds as a customer reads them by page and by export; each result is a hash of its rows. */
export interface FeedsReader {
  /** The as-of day of each feed in GET /v1/feeds. */
  list(): Promise<string>;
  /** A feed's records, all pages of one version. */
  records(feed: string): Promise<string>;
  /** A feed's CSV. */
  export(feed: string): Promise<string>;
}

export const FEED_CODES = FEEDS.map(({ code }) => code);

/** A plan with every feed in every state, and limits that no test reaches. */
export const EVERYTHING = {
  requestsPerMinute: 10_000_000,
  rowsPerMonth: 1_000_000_000,
  feeds: Object.fromEntries(FEED_CODES.map((code) => [code, null])),
};

interface Page {
  data: unknown[];
  has_more: boolean;
  as_of: string;
  meta: { version: number };
}

/** A reader with an account of its own. Its results begin with the as-of day and are the same for every reader. */
export async function feedsReader(service: TestService): Promise<FeedsReader> {
  const { key, licenceRef } = await service.createAccount(EVERYTHING);
  const get = async (path: string): Promise<Response> => {
    const answer = await service.get(`/v1/feeds${path}`, key);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  };
  const page = async (feed: string, query: string): Promise<Page> =>
    (await (await get(`/${feed}/records?page_size=200${query}`)).json()) as Page;
  return {
    list: async () => {
      const { data } = (await (await get("")).json()) as components["schemas"]["FeedsOut"];
      return data.map(({ code, as_of }) => `${as_of} ${code}`).join(", ");
    },
    records: async (feed) => {
      const first = await page(feed, "");
      const rows = [...first.data];
      for (let number = 2, hasMore = first.has_more; hasMore; number += 1) {
        const next = await page(feed, `&page=${number}&version=${first.meta.version}`);
        rows.push(...next.data);
        hasMore = next.has_more;
      }
      return `${first.as_of} ${hashOf(JSON.stringify(rows))}`;
    },
    export: async (feed) => {
      const answer = await get(`/${feed}/export.csv`);
      const asOf = /\d{4}-\d\d-\d\d/.exec(answer.headers.get("content-disposition") ?? "")?.[0];
      return `${asOf} ${hashOf((await answer.text()).replaceAll(licenceRef, ""))}`;
    },
  };
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Tables of published rows without a version, which nothing would ever drop. */
export async function tablesWithoutVersion({ db }: Context): Promise<string[]> {
  const { rows } = await db.pool.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables
     WHERE schemaname = 'published' AND tablename NOT IN (SELECT 'feed_' || id FROM feed_version)`,
  );
  return rows.map(({ name }) => name);
}
