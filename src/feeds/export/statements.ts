// Written by `npm run generate:sql` from the .sql files of this folder. Don't edit it.
import { statement } from "../../platform/database/statement.ts";

export interface LastShownAgainRow {
  shownAgainAt: Date | null;
}

export const lastShownAgain = statement<void, LastShownAgainRow>(
  import.meta.url,
  "last-shown-again.sql",
  [],
);

export interface ListVersionsRow {
  id: number;
}

export const listVersions = statement<void, ListVersionsRow>(
  import.meta.url,
  "list-versions.sql",
  [],
);
