// refused: Type 'Date' is not assignable to type 'string'
import { quotaUsed } from "../../../src/accounts/usage/statements.ts";
import type { Queryable } from "../../../src/platform/database/statement.ts";

export const used = (db: Queryable) => quotaUsed.run(db, { accountId: 1, month: new Date() });
