// refused: Property 'month' is missing in type '{ accountId: number; }' but required in type 'QuotaUsedParams'
import { quotaUsed } from "../../../src/accounts/usage/statements.ts";
import type { Queryable } from "../../../src/platform/database/statement.ts";

export const used = (db: Queryable) => quotaUsed.run(db, { accountId: 1 });
