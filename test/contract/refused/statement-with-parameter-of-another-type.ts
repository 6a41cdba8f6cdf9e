// refused: Type 'Date' is not assignable to type 'string'
import { quotaUsed } from "../../../src/generated/sql/accounts/usage.ts";
import type { Queryable } from "../../../src/platform/database/statement.ts";

export const used = (db: Queryable) => quotaUsed(db, { accountId: 1, month: new Date() });
