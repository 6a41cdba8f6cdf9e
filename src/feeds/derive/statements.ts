// Written by `npm run generate:sql` from the .sql files of this folder. Don't edit it.
import { statement } from "../../platform/database/statement.ts";

export const copyRemovalList = statement<void, object>(
  import.meta.url,
  "copy-removal-list.sql",
  [],
);

export interface HashRemovalListRow {
  hash: string;
}

export const hashRemovalList = statement<void, HashRemovalListRow>(
  import.meta.url,
  "hash-removal-list.sql",
  [],
);
