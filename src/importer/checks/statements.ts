// Written by `npm run generate:sql` from the .sql files of this folder. Don't edit it.
import { statement } from "../../platform/database/statement.ts";
import type { Contradictions } from "../../registry/authorities/contradictions.ts";

export interface FindOldFilesParams {
  datasets: readonly string[];
  sha256s: readonly string[];
}

export interface FindOldFilesRow {
  dataset: string | null;
  sha256: string | null;
  run: number;
  asOf: string;
}

export const findOldFiles = statement<FindOldFilesParams, FindOldFilesRow>(
  import.meta.url,
  "find-old-files.sql",
  ["datasets", "sha256s"],
);

export interface LastRunsParams {
  limit: number;
}

export interface LastRunsRow {
  asOf: string;
  contradictions: Contradictions | null;
  events: number;
}

export const lastRuns = statement<LastRunsParams, LastRunsRow>(
  import.meta.url,
  "last-runs.sql",
  ["limit"],
);
