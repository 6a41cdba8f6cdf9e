/** The registry files that are imported. Each has a table in this module, and a twin of it in schema `staging`. */
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
] as const;
export type Dataset = (typeof DATASETS)[number];

/** The day on which the legacy registry stopped (91 FR 23144). No row of it is newer; no status was verified later. */
export const LEGACY_FROZEN_ON = "2026-05-14";

/** Whether a dataset belongs to the legacy registry: its file is published again every day but never changes. */
export const isFrozen = (dataset: Dataset): boolean => dataset.startsWith("legacy_");

const MOTUS: ReadonlySet<Dataset> = new Set(DATASETS.filter((dataset) => dataset.startsWith("motus_")));

/** Whether a dataset's file in a folder is a daily difference: true only for Motus, in a folder of differences. */
export const isDifferenceOf = ({ isDifference }: { isDifference: boolean }, dataset: Dataset): boolean =>
  isDifference && MOTUS.has(dataset);
