// Written by `npm run generate:sql` from the .sql files of this folder. Don't edit it.
import { statement } from "../../platform/database/statement.ts";
import type { ChangeCategory } from "../../registry/changes/recorded-fields.ts";

export interface ReadChangesParams {
  usdot: number;
  category: string | null;
  since: Date | null;
  limit: number;
}

export interface ReadChangesRow {
  id: number;
  category: ChangeCategory;
  field: string;
  docket: string | null;
  item: Record<string, string | null> | null;
  old_value: unknown;
  new_value: unknown;
  registry_on: string | null;
  as_of: string;
  seen_at: Date;
  source: string;
  run_id: number | null;
}

export const readChanges = statement<ReadChangesParams, ReadChangesRow>(
  import.meta.url,
  "read-changes.sql",
  ["usdot", "category", "since", "limit"],
);
