// Written by `npm run generate:sql` from the .sql files of this folder. Don't edit it.
import { statement } from "../../platform/database/statement.ts";

export interface FeedsAtParams {
  accountId: number;
  number: number;
}

export interface FeedsAtRow {
  feeds: Record<string, string[] | null>;
}

export const feedsAt = statement<FeedsAtParams, FeedsAtRow>(
  import.meta.url,
  "feeds-at.sql",
  ["accountId", "number"],
);

export interface FeedsSinceParams {
  accountId: number;
  number: number;
  since: Date;
}

export interface FeedsSinceRow {
  feeds: Record<string, string[] | null>;
}

export const feedsSince = statement<FeedsSinceParams, FeedsSinceRow>(
  import.meta.url,
  "feeds-since.sql",
  ["accountId", "number", "since"],
);

export const findPlan = statement<void, object>(
  import.meta.url,
  "find-plan.sql",
  [],
);
