/** The registry files the service is built from; each is a table of this room and its twin in schema `staging`. */
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

/** The day the legacy registry stopped (91 FR 23144): no row of it can be newer, no status verified later. */
export const LEGACY_FROZEN_ON = "2026-05-14";

/** Whether a dataset is of the registry that stopped: its file comes anew every day and is always the same. */
export const isFrozen = (dataset: Dataset): boolean => dataset.startsWith("legacy_");

const MOTUS: ReadonlySet<Dataset> = new Set(DATASETS.filter((dataset) => dataset.startsWith("motus_")));

/** Whether a folder's file of a dataset is a daily difference, when the folder is of those: only Motus has them. */
export const isDifferenceOf = ({ isDifference }: { isDifference: boolean }, dataset: Dataset): boolean =>
  isDifference && MOTUS.has(dataset);
