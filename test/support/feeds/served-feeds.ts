import { createHash } from "node:crypto";
import { FEEDS } from "../../../src/feeds/catalogue.ts";
import type { components } from "../../../src/generated/types.ts";
import type { Context } from "../../../src/platform/context.ts";
import type { TestService } from "../service.ts";

/** Feeds as customers see them who read every page and every export, each told by a hash of its rows. */
export interface FeedsReader {
  /** What GET /v1/feeds says of each feed. */
  list(): Promise<string>;
  /** A feed's records, all pages of one version. */
  records(feed: string): Promise<string>;
  /** A feed's CSV. */
  export(feed: string): Promise<string>;
}

export const FEED_CODES = FEEDS.map(({ code }) => code);

/** A plan with every feed in every state, and no limit that a test would come to. */
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

/** A reader on a plan of its own. What it tells begins with the as-of day and does not depend on whose reader it is. */
export async function feedsReader(service: TestService): Promise<FeedsReader> {
  const { key, licenceRef } = await service.createAccount(EVERYTHING);
  const get = async (place: string): Promise<Response> => {
    const answer = await service.get(`/v1/feeds${place}`, key);
    if (answer.status !== 200) throw new Error(`${place}: ${answer.status} ${await answer.text()}`);
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

/** Tables of published rows that no version names, so that nobody would ever remove them. */
export async function tablesWithoutVersion({ db }: Context): Promise<string[]> {
  const { rows } = await db.pool.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables
     WHERE schemaname = 'published' AND tablename NOT IN (SELECT 'feed_' || id FROM feed_version)`,
  );
  return rows.map(({ name }) => name);
}
