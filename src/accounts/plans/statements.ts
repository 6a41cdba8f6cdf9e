// Written by `npm run generate:sql` from the .sql files of this folder. Don't edit it.
import { statement } from "../../platform/database/statement.ts";

export const findPlan = statement<void, object>(
  import.meta.url,
  "find-plan.sql",
  [],
);
