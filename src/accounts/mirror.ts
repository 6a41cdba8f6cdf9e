import * as sql from "../generated/sql/accounts.ts";
import type { Context } from "../platform/context.ts";
import type { AccountShown } from "./accounts.ts";

/**
 * Opens an account of the same number in the database of test mode, on this plan, unless it is there and open. Names and
 * addresses of customers stay in the live database.
 */
export async function mirrorAccount(
  test: Context,
  { id }: Pick<AccountShown, "id">,
  planCode: string,
): Promise<void> {
  const account = {
    id,
    name: `Account ${id}`,
    planCode,
    licenceRef: `LIC-TEST${String(id).replace("-", "S")}`,
  };
  await sql.mirrorAccount(test.db.pool, { ...account, now: test.clock.now() });
}
