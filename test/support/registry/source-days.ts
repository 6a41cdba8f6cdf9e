import { FEEDS } from "../../../src/feeds/catalogue.ts";
import type { Dataset } from "../../../src/registry/datasets.ts";

/** Every source of any feed, with `day` as its day. */
export const everySourceOf = (day: string): Map<Dataset, string> =>
  new Map(FEEDS.flatMap(({ sources }) => sources.map((source) => [source, day] as const)));
