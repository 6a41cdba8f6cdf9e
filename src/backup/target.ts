// The database that a backup is restored into: whether it may be, and how it becomes empty.
import pRetry from "p-retry";
import type pg from "pg";
import { lockPublishing } from "../feeds/publish/publish-lock.ts";
import * as sql from "../generated/sql/backup.ts";
import type { Context } from "../platform/context.ts";
import { tryLockMigrations } from "../platform/database/migrate.ts";
import { APPLICATION_NAME } from "../platform/database/pool.ts";
import { dynamic } from "../platform/database/statement.ts";
import { OperatorError } from "../platform/operator-error.ts";
import { countOf } from "../platform/plural.ts";

/** Connections of a process that has just ended are gone after a moment. */
const RECENTLY_ENDED = { retries: 4, minTimeout: 250, factor: 1 };

/**
 * Refuses while another process of this program uses the database, and keeps others from starting until the transaction
 * ends. OperatorError.
 */
export async function requireUnused({ db }: Context, client: pg.PoolClient): Promise<void> {
  await sql.prepareRestore(client);
  if (!(await tryLockMigrations(client)))
    throw new OperatorError("Another process migrates or restores this database; wait until it is done.", {
      solution: "later",
    });
  await lockPublishing(client);
  await pRetry(async () => {
    // Outside of the transaction, in which PostgreSQL would always give the first answer again.
    const { count: sessions } = await sql.countSessions(db.pool, { application: APPLICATION_NAME });
    if (sessions === 0) return;
    throw new OperatorError(
      `A service or a command uses this database (${countOf(sessions, "connection")}). Stop every process first, and let a pooler reconnect (RECONNECT on its console); nothing was changed.`,
      { solution: "later" },
    );
  }, RECENTLY_ENDED);
}

/** A table of one row, which its migration makes. It tells nothing about whether a database has data. */
const isOneRow = ({ constraints }: sql.ListTablesRow): boolean =>
  constraints.some((constraint) => /^CONSTRAINT \w+_is_one_row /.test(constraint));

/** `foreign`: another program's tables. `new`: no tables, or only what migrations put into them. */
export async function stateOf(client: pg.PoolClient): Promise<"foreign" | "new" | "used"> {
  const ledger = await sql.hasLedger(client);
  if (!ledger.ours) return ledger.used ? "foreign" : "new";
  const tables = await sql.listTables(client);
  const asked = tables.filter((table) => !isOneRow(table));
  if (asked.length === 0) return "new";
  const { rows } = await dynamic(
    client,
    `SELECT ${asked.map(({ name }) => `EXISTS (SELECT FROM ${name})`).join(" OR ")} AS used`,
  );
  const [answer] = rows as { used: boolean }[];
  return answer?.used ? "used" : "new";
}

const LOCK_NOT_AVAILABLE = "55P03";

/** Deletes everything in the program's schemas. OperatorError when another session is using a table. */
export async function dropEverything(client: pg.PoolClient): Promise<void> {
  const rows = await sql.dropCommands(client);
  for (const { command } of rows) {
    await dynamic(client, command).catch((error: pg.DatabaseError) => {
      if (error.code !== LOCK_NOT_AVAILABLE) throw error;
      throw new OperatorError(
        "Another session has a transaction open on this database. End it and try again; nothing was changed.",
        { cause: error, solution: "later" },
      );
    });
  }
}

/** Gives the rights that others had in the replaced database again, on what exists. Twice is as once. */
export async function giveAgain(client: pg.PoolClient, grants: readonly sql.ListGrantsRow[]): Promise<void> {
  if (grants.length === 0) return;
  const names = new Set((await sql.listObjects(client)).map(({ name }) => name));
  for (const { object, command } of grants) if (names.has(object)) await dynamic(client, command);
}
