// Written by `npm run generate:sql` from the .sql files of this folder. Don't edit it.
import { statement } from "../../platform/database/statement.ts";
import type { StepCause } from "../publish/step.ts";
import type { StepStates } from "./steps.ts";

export interface BlankedAmongParams {
  contacts: readonly string[];
}

export interface BlankedAmongRow {
  value: string;
  number: number;
}

export const blankedAmong = statement<BlankedAmongParams, BlankedAmongRow>(
  import.meta.url,
  "blanked-among.sql",
  ["contacts"],
);

export interface ChangedAmongParams {
  recordIds: readonly string[];
  firstStep: number;
  lastStep: number;
  since: Date;
}

export interface ChangedAmongRow {
  recordId: string;
}

export const changedAmong = statement<ChangedAmongParams, ChangedAmongRow>(
  import.meta.url,
  "changed-among.sql",
  ["recordIds", "firstStep", "lastStep", "since"],
);

export interface ListPublicationsParams {
  feed: string;
  since: Date;
  before: number | null;
  most: number;
}

export interface ListPublicationsRow {
  id: number;
  fromVersion: number | null;
  toVersion: number;
  asOf: string;
  publishedAt: Date;
  cause: StepCause;
  states: StepStates;
}

export const listPublications = statement<ListPublicationsParams, ListPublicationsRow>(
  import.meta.url,
  "list-publications.sql",
  ["feed", "since", "before", "most"],
);

export interface ListStepsParams {
  feed: string;
  since: Date;
}

export interface ListStepsRow {
  id: number;
  fromVersion: number | null;
  toVersion: number;
  asOf: string;
  publishedAt: Date;
  takenAt: Date;
  listNumber: number | null;
}

export const listSteps = statement<ListStepsParams, ListStepsRow>(
  import.meta.url,
  "list-steps.sql",
  ["feed", "since"],
);

export interface ReadChangesParams {
  step: number;
  after: number;
  most: number;
  firstStep: number;
  lastStep: number;
  since: Date;
}

export interface ReadChangesRow {
  ordinal: number;
  recordId: string;
  usdot: number;
  reason: string | null;
  before: string | null;
}

export const readChanges = statement<ReadChangesParams, ReadChangesRow>(
  import.meta.url,
  "read-changes.sql",
  ["step", "after", "most", "firstStep", "lastStep", "since"],
);

export interface ReturnedSinceParams {
  number: number;
  since: Date;
}

export interface ReturnedSinceRow {
  usdot: number | null;
  contact: string | null;
  hiddenNumber: number;
}

export const returnedSince = statement<ReturnedSinceParams, ReturnedSinceRow>(
  import.meta.url,
  "returned-since.sql",
  ["number", "since"],
);
