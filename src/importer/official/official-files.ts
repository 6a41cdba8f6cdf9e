import type { Dataset } from "../../registry/datasets.ts";
import type { OfficialFile } from "../rows/official-file.ts";
import { legacyBoc3, motusBoc3 } from "./agents.ts";
import { legacyAuthhist, legacyCarrier, motusAuthhist, motusCarrier } from "./authorities.ts";
import { census } from "./census.ts";
import { legacyRevocation, motusRevokesuspend, oosOrder } from "./orders.ts";
import { legacyActpendinsur, legacyInshist, legacyInsur, motusInshist, motusInsur } from "./policies.ts";

/** Every registry file that is imported, in the order of their download. */
export const OFFICIAL_FILES: readonly OfficialFile[] = [
  // The live files. A whole file and a daily difference of Motus have the same header.
  motusCarrier,
  motusAuthhist,
  motusRevokesuspend,
  motusInsur,
  motusInshist,
  motusBoc3,
  census,
  oosOrder,
  // The files of the legacy registry, which stopped on 2026-05-14. Each also exists as a text file without header.
  legacyCarrier,
  legacyAuthhist,
  legacyRevocation,
  legacyInsur,
  legacyActpendinsur,
  legacyInshist,
  legacyBoc3,
];

const BY_DATASET = new Map(OFFICIAL_FILES.map((file) => [file.dataset, file]));

/** The name of a dataset's file in messages. */
export const titleOf = (dataset: Dataset): string => BY_DATASET.get(dataset)?.title ?? dataset;

/** The registry's own name of a column of a dataset's table. */
export const officialColumn = (dataset: Dataset, column: string): string =>
  BY_DATASET.get(dataset)?.fields[column]?.columns[0] ?? column;

/** The columns of a dataset's staged rows, in the order in which they are written. */
export function stagedColumns(dataset: Dataset): readonly string[] {
  const { fields = {}, isKeyed = false } = BY_DATASET.get(dataset) ?? {};
  return [...(isKeyed ? [] : ["row_id"]), ...Object.keys(fields)];
}
