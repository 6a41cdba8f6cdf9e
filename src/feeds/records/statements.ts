// Written by `npm run generate:sql` from the .sql files of this folder. Don't edit it.
import { statement } from "../../platform/database/statement.ts";

export interface ListStateRow {
  listState: string;
}

export const listState = statement<void, ListStateRow>(
  import.meta.url,
  "list-state.sql",
  [],
);
