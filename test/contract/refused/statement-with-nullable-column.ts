// refused: 'row.minute' is possibly 'null'
import { admission } from "../../../src/generated/sql/accounts/keys.ts";
import type { Queryable } from "../../../src/platform/database/statement.ts";

export async function nextMinutes(db: Queryable): Promise<number[]> {
  const rows = await admission(db, {
    keyIds: [],
    secretHashes: [],
    requests: [],
    minute: 1,
    month: "2026-11-01",
    now: new Date(),
    elsewhere: [],
    isSorted: [],
  });
  return rows.map((row) => row.minute + 1);
}
