/** The registry files that the service is built from. Each has a table of this module and one in schema `staging`. */
export const DATASETS = [
  "census",
  "motus_carrier",
  "motus_authhist",
  "motus_revokesuspend",
  "motus_insur",
  "motus_inshist",
  "legacy_carrier",
  "legacy_authhist",
  "legacy_revocation",
  "legacy_insur",
  "legacy_actpendinsur",
  "legacy_inshist",
  "oos_order",
  "motus_boc3",
  "legacy_boc3",
] as const;
export type Dataset = (typeof DATASETS)[number];

/**
 * Files that an import can do without. The columns that come from one of them are null until it was imported, and again
 * when it is too old (sources.ts).
 */
export const OPTIONAL_DATASETS: ReadonlySet<Dataset> = new Set(["oos_order", "motus_boc3", "legacy_boc3"]);

/** The day the legacy registry stopped (91 FR 23144). None of its rows is newer, and no status was verified later. */
export const LEGACY_FROZEN_ON = "2026-05-14";

/** The last day on which each registry confirmed statuses, in data that is current to the day. */
export const verifiedOn = (asOf: string): { motus: string; legacy: string } => ({
  motus: asOf,
  legacy: asOf < LEGACY_FROZEN_ON ? asOf : LEGACY_FROZEN_ON,
});

/** Whether a dataset is of the legacy registry. Its file is published every day and is always the same. */
export const isLegacy = (dataset: Dataset): boolean => dataset.startsWith("legacy_");

const MOTUS: ReadonlySet<Dataset> = new Set(DATASETS.filter((dataset) => dataset.startsWith("motus_")));

/** Whether the file of a dataset is a daily difference, if the folder holds differences. Only Motus has them. */
export const isDifferenceOf = ({ isDifference }: { isDifference: boolean }, dataset: Dataset): boolean =>
  isDifference && MOTUS.has(dataset);
