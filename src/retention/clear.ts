// Clears one table of the list. Names and conditions are those of kept-tables.ts.
import type { Context } from "../platform/context.ts";
import { dynamic } from "../platform/database/statement.ts";
import type { KeptTable } from "./kept-tables.ts";
import { dropPartitions, makePartitions, unlessLocked } from "./partitions.ts";
import * as sql from "./statements.ts";

const ROWS_AT_ONCE = 5_000;

/**
 * Deletes what is past. Returns false when something is left for the next call: others kept a table locked, or `goesOn`,
 * which is asked after each step, said no.
 */
export async function clear(
  context: Pick<Context, "db" | "clock">,
  kept: KeptTable,
  { before, goesOn }: { before: Date; goesOn: () => Promise<boolean> },
): Promise<boolean> {
  if (kept.by === "months") {
    const made = await makePartitions(context, kept.table);
    const neededSince = await kept.neededSince?.(context);
    const dropped = await dropPartitions(context, {
      table: kept.table,
      before: neededSince && neededSince < before ? neededSince : before,
    });
    return made !== null && dropped !== null;
  }
  const { by } = kept;
  const step = by === "rows" ? deleteRows(kept) : by;
  for (;;) {
    const cleared = await unlessLocked(
      context.db.bulkTransaction(async (client) => {
        await sql.waitBriefly.run(client);
        return step(client, { before, most: ROWS_AT_ONCE });
      }),
    );
    if (cleared === null) return false;
    if (cleared < ROWS_AT_ONCE) return true;
    if (!(await goesOn())) return false;
  }
}

const deleteRows =
  ({ table, time, except = "false" }: KeptTable): Exclude<KeptTable["by"], string> =>
  async (client, { before, most }) => {
    const { rowCount } = await dynamic(
      client,
      `DELETE FROM ${table} WHERE ctid = ANY (ARRAY (
         SELECT ctid FROM ${table} WHERE ${time} < $1::timestamptz AND NOT (${except}) LIMIT $2 FOR UPDATE SKIP LOCKED))`,
      [before, most],
    );
    return rowCount;
  };
