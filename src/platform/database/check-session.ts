import type pg from "pg";
import * as sql from "../../generated/sql/platform/database.ts";
import type { Log } from "../log.ts";
import { OperatorError } from "../operator-error.ts";

/** Zones in which a timestamp reads as in UTC. */
const UTC = /^(Etc\/)?(UTC|UCT|GMT|Greenwich|Universal|Zulu)$/;

/**
 * Checks that the sessions of `pool` got the settings that the program sends, since a pooler may ignore them. Warns of a
 * statement time limit that is missing. OperatorError when times would be wrong.
 */
export async function checkSession(
  pool: pg.Pool,
  { log, statementTimeoutMs }: { log: Log; statementTimeoutMs: number },
): Promise<void> {
  const { timeZone, role, ...session } = await readSession(pool);
  if (!UTC.test(timeZone)) {
    throw new OperatorError(
      `Sessions at DATABASE_URL use the time zone ${timeZone}: a pooler ignores the one that the program asks for. ` +
        `Run ALTER ROLE ${role} SET TimeZone = 'UTC', let the pooler reconnect, and start again.`,
    );
  }
  if (session.statementTimeoutMs === 0 || session.statementTimeoutMs > statementTimeoutMs) {
    log.warn(
      { statementTimeoutMs: session.statementTimeoutMs, wantedMs: statementTimeoutMs },
      "Sessions at DATABASE_URL have no time limit for statements: a pooler ignores the one that the program asks for. " +
        `Run ALTER ROLE ${role} SET statement_timeout = '${statementTimeoutMs / 1000}s'.`,
    );
  }
}

/** Warns when the connections of `pool` lead to a pooler, which may not keep locks of a session. */
export async function checkOwnSession(pool: pg.Pool, log: Log): Promise<void> {
  const { isPooled } = await readSession(pool);
  if (!isPooled) return;
  log.warn(
    "A pooler answers imports and migrations. In transaction mode it loses their locks. Set DATABASE_DIRECT_URL to the " +
      "address of PostgreSQL itself.",
  );
}

async function readSession(pool: pg.Pool): Promise<sql.ReadSessionRow & { isPooled: boolean }> {
  const client = await pool.connect();
  try {
    const session = await sql.readSession(client);
    // A pooler gives its clients a process id of its own.
    const named = Reflect.get(client, "processID") as number | null;
    return { ...session, isPooled: named !== session.processId };
  } finally {
    client.release();
  }
}
