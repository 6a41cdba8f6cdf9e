import * as sql from "../generated/sql/backup.ts";
import type { Context } from "../platform/context.ts";
import { requireUnused } from "./target.ts";

/** The sequence of a kind of number, and the last number that counts as given. */
export type Skipped = sql.SkipNumbersRow;

/**
 * Continues every sequence so many numbers further, because numbers were given that a recovered database does not know.
 * The context must be opened with RESTORE_CONNECTIONS. OperatorError while another process uses the database.
 */
export const skipNumbers = (context: Context, numbers: number): Promise<readonly Skipped[]> =>
  context.db.bulkTransaction(async (client) => {
    await requireUnused(context, client);
    return sql.skipNumbers(client, { numbers });
  });
