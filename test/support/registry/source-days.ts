import { FEEDS } from "../../../src/feeds/catalogue.ts";
import type { Dataset } from "../../../src/registry/datasets.ts";

/** The days of all files that any feed rests on, each of them `day`. */
export const everySourceOf = (day: string): Map<Dataset, string> =>
  new Map(FEEDS.flatMap(({ sources }) => sources.map((source) => [source, day] as const)));
