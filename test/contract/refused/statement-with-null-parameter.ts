// refused: Type 'null' is not assignable to type 'number'
import { quotaUsed } from "../../../src/generated/sql/accounts/usage.ts";
import type { Queryable } from "../../../src/platform/database/statement.ts";

export const used = (db: Queryable) => quotaUsed(db, { accountId: null, month: "2026-11-01" });
