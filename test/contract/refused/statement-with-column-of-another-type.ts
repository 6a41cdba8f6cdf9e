// refused: Type 'number' is not assignable to type 'string'
import { quotaUsed } from "../../../src/generated/sql/accounts/usage.ts";
import type { Queryable } from "../../../src/platform/database/statement.ts";

export async function usedText(db: Queryable): Promise<string> {
  const row = await quotaUsed(db, { accountId: 1, month: "2026-11-01" });
  return row === undefined ? "" : row.used;
}
