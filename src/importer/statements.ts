// Written by `npm run generate:sql` from the .sql files of this folder. Don't edit it.
import { statement } from "../platform/database/statement.ts";
import type { PublishedFeed } from "../feeds/publish/publish.ts";
import type { RunStatus, ImportReport } from "./runs.ts";

export interface CloseLostRunsParams {
  now: Date;
}

export const closeLostRuns = statement<CloseLostRunsParams, object>(
  import.meta.url,
  "close-lost-runs.sql",
  ["now"],
);

export interface ClosePublishedParams {
  id: number;
  finishedAt: Date;
  asOf: string;
  report: string;
}

export const closePublished = statement<ClosePublishedParams, object>(
  import.meta.url,
  "close-published.sql",
  ["id", "finishedAt", "asOf", "report"],
);

export interface CloseUnpublishedParams {
  id: number;
  status: string;
  finishedAt: Date;
  refusal: string;
}

export const closeUnpublished = statement<CloseUnpublishedParams, object>(
  import.meta.url,
  "close-unpublished.sql",
  ["id", "status", "finishedAt", "refusal"],
);

export const endMergeCosts = statement<void, object>(
  import.meta.url,
  "end-merge-costs.sql",
  [],
);

export interface LastVersionNumberRow {
  value: number;
  isCalled: boolean;
}

export const lastVersionNumber = statement<void, LastVersionNumberRow>(
  import.meta.url,
  "last-version-number.sql",
  [],
);

export interface ListPublicationsParams {
  versions: readonly number[];
}

export interface ListPublicationsRow {
  published: PublishedFeed;
}

export const listPublications = statement<ListPublicationsParams, ListPublicationsRow>(
  import.meta.url,
  "list-publications.sql",
  ["versions"],
);

export interface ListRunsParams {
  limit: number;
}

export interface ListRunsRow {
  id: number;
  status: RunStatus;
  asOf: string | null;
  folder: string;
  startedAt: Date;
  finishedAt: Date | null;
  refusal: string | null;
  report: ImportReport | null;
}

export const listRuns = statement<ListRunsParams, ListRunsRow>(
  import.meta.url,
  "list-runs.sql",
  ["limit"],
);

export interface OpenRunParams {
  folder: string;
  startedAt: Date;
}

export interface OpenRunRow {
  id: number;
}

export const openRun = statement<OpenRunParams, OpenRunRow>(
  import.meta.url,
  "open-run.sql",
  ["folder", "startedAt"],
);

export interface ReadRunParams {
  id: number;
}

export interface ReadRunRow {
  id: number;
  status: RunStatus;
  asOf: string | null;
  folder: string;
  startedAt: Date;
  finishedAt: Date | null;
  refusal: string | null;
  report: ImportReport | null;
}

export const readRun = statement<ReadRunParams, ReadRunRow>(
  import.meta.url,
  "read-run.sql",
  ["id"],
);

export const setMergeMemory = statement<void, object>(
  import.meta.url,
  "set-merge-memory.sql",
  [],
);

export interface SetVersionNumberParams {
  value: number;
  isCalled: boolean;
}

export interface SetVersionNumberRow {
  setval: number;
}

export const setVersionNumber = statement<SetVersionNumberParams, SetVersionNumberRow>(
  import.meta.url,
  "set-version-number.sql",
  ["value", "isCalled"],
);
