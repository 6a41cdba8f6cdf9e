import type { Dataset } from "../../src/carriers/datasets.ts";
import { FEEDS } from "../../src/feeds/catalogue.ts";

/** The days of all files that any feed rests on, each of them `day`. */
export const everySourceOf = (day: string): Map<Dataset, string> =>
  new Map(FEEDS.flatMap(({ sources }) => sources.map((source) => [source, day] as const)));
