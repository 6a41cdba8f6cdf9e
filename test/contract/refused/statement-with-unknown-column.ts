// refused: Property 'quota_row' does not exist on type 'ChargeRow'. Did you mean 'quota_rows'?
import type { ChargeRow } from "../../../src/generated/sql/accounts/usage.ts";

export const rowsOf = (rows: ChargeRow[]) => rows.map((row) => row.quota_row);
