// refused: Property 'quota_row' does not exist on type 'ChargeRow'. Did you mean 'quota_rows'?
import type { ChargeRow } from "../../../src/accounts/usage/statements.ts";
import type { StatementResult } from "../../../src/platform/database/statement.ts";

export const rowsOf = ({ rows }: StatementResult<ChargeRow>) => rows.map((row) => row.quota_row);
