/** The registry files the service is built from; each is a table of this room and its twin in schema `staging`. */
export const DATASETS = [
  "census",
  "motus_carrier",
  "motus_authhist",
  "legacy_carrier",
  "legacy_authhist",
] as const;
export type Dataset = (typeof DATASETS)[number];

/** The day the legacy registry stopped (91 FR 23144): no row of it can be newer, no status verified later. */
export const LEGACY_FROZEN_ON = "2026-05-14";
