// Written by `npm run generate:sql` from the .sql files of this folder. Don't edit it.
import { statement } from "../../platform/database/statement.ts";

export interface FeedsSinceParams {
  accountId: number;
  at: Date;
}

export interface FeedsSinceRow {
  feeds: Record<string, string[] | null>;
}

export const feedsSince = statement<FeedsSinceParams, FeedsSinceRow>(
  import.meta.url,
  "feeds-since.sql",
  ["accountId", "at"],
);

export const findPlan = statement<void, object>(
  import.meta.url,
  "find-plan.sql",
  [],
);
