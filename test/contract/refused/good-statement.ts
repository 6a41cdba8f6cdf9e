// Compiles: parameters with their types, columns by their names, and a check of a column that may be null.
import { admission } from "../../../src/generated/sql/accounts/keys.ts";
import { charge } from "../../../src/generated/sql/accounts/usage.ts";
import { dynamic, type Queryable } from "../../../src/platform/database/statement.ts";

export async function useStatements(db: Queryable): Promise<number> {
  const account = { accountId: 1, month: "2026-11-01" };
  const charged = await charge(db, { ...account, apiRows: 1, exportRows: 0, limit: 10 });
  const known = await admission(db, {
    keyIds: [],
    secretHashes: [],
    requests: [],
    minute: 1,
    month: "2026-11-01",
    now: new Date(),
    elsewhere: [],
    isSorted: [],
  });
  const { rows } = await dynamic(db, "SELECT 1 AS one");
  return (charged?.quota_rows ?? 0) + (known[0]?.minute ?? 0) + (rows[0] as { one: number }).one;
}
