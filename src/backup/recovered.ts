import * as sql from "../generated/sql/backup.ts";
import type { Context } from "../platform/context.ts";
import { OperatorError } from "../platform/operator-error.ts";
import { continueNumber, newestNumber } from "../suppression/removal-list.ts";
import { requireUnused } from "./target.ts";

/** The sequence of a kind of number, and the last number that counts as given. */
export type Skipped = sql.SkipNumbersRow;

/**
 * Continues every sequence, and the number of removals, so many numbers further, because numbers were given that a
 * recovered database does not know. The context must be opened with RESTORE_CONNECTIONS. OperatorError while another process
 * uses the database, or when it is not the program's.
 */
export const skipNumbers = (context: Context, numbers: number): Promise<readonly Skipped[]> =>
  context.db.bulkTransaction(async (client) => {
    await requireUnused(context, client);
    if (!(await sql.hasLedger(client)).ours) {
      throw new OperatorError(
        "This database has no tables of this program. Name the recovered database in DATABASE_URL. Nothing was changed.",
      );
    }
    await continueNumber(client, (await newestNumber(client)) + numbers);
    return sql.skipNumbers(client, { numbers });
  });
