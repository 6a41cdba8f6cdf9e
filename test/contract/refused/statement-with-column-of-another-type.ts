// refused: Type 'number' is not assignable to type 'string'
import { quotaUsed } from "../../../src/accounts/usage/statements.ts";
import type { Queryable } from "../../../src/platform/database/statement.ts";

export async function usedText(db: Queryable): Promise<string> {
  const { rows } = await quotaUsed.run(db, { accountId: 1, month: "2026-11-01" });
  return rows[0] === undefined ? "" : rows[0].used;
}
