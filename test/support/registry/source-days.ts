import { FEEDS } from "../../../src/feeds/catalogue.ts";
import type { Dataset } from "../../../src/registry/datasets.ts";
import { type Client, putRows } from "../rows.ts";

/** Every source of any feed, with `day` as its day. */
export const everySourceOf = (day: string): Map<Dataset, string> =>
  new Map(FEEDS.flatMap(({ sources }) => sources.map((source) => [source, day] as const)));

/** Has the file of orders out of service be imported, of this day. */
export const knowOutOfService = (
  client: Client,
  { asOf, at }: { asOf: string; at: string },
): Promise<unknown> =>
  putRows(client, "source", {
    dataset: "oos_order",
    rows: 1,
    newest_row_on: asOf,
    profile: "{}",
    imported_at: at,
    changed_on: asOf,
  });
