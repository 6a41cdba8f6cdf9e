// refused: Property 'month' is missing in type '{ accountId: number; }' but required in type 'QuotaUsedParams'
import { quotaUsed } from "../../../src/generated/sql/accounts/usage.ts";
import type { Queryable } from "../../../src/platform/database/statement.ts";

export const used = (db: Queryable) => quotaUsed(db, { accountId: 1 });
