import pg from "pg";
import { OperatorError } from "../operator-error.ts";
import { connectionTo } from "./pool.ts";

/** Schemas of the tables that `serve` and `dispatch` write, and of those that they only read. */
const WRITTEN = "public, partitions";
const READ = "published";

/**
 * Gives a role the rights that `serve` and `dispatch` need, also on tables that this program makes later. It can't alter, drop
 * or empty a table, nor run an import. Giving them again changes nothing. OperatorError when there is no such role, when it owns the
 * tables, unless it may and needs nothing then, or when the role of the address does not.
 */
export async function grantTo(databaseUrl: string, role: string, { mayOwn = false } = {}): Promise<void> {
  const client = new pg.Client(connectionTo(databaseUrl));
  await client.connect();
  try {
    const { rows } = await client.query<{ isThere: boolean; owner: string; mayGrant: boolean }>(
      `SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1) AS "isThere",
         pg_get_userbyid(relowner) AS owner, pg_has_role(relowner, 'USAGE') AS "mayGrant"
       FROM pg_class WHERE oid = '_prisma_migrations'::regclass`,
      [role],
    );
    const [{ isThere, owner, mayGrant } = { isThere: false, owner: "", mayGrant: false }] = rows;
    if (!isThere) {
      throw new OperatorError(
        `There is no role "${role}"; create it first: CREATE ROLE ${pg.escapeIdentifier(role)} LOGIN PASSWORD '…'.`,
      );
    }
    if (role === owner && mayOwn) return;
    if (role === owner) throw new OperatorError(`The role "${role}" owns the tables; name another one.`);
    // PostgreSQL would only warn, and give nothing.
    if (!mayGrant) {
      throw new OperatorError(
        `The role "${owner}" owns the tables, and only it can give rights to them: name it in DATABASE_URL, and in DATABASE_DIRECT_URL if that is set.`,
      );
    }
    await client.query(grantsFor(pg.escapeIdentifier(role), pg.escapeIdentifier(owner)));
  } finally {
    await client.end();
  }
}

// The owner makes the later tables, also when a superuser or a member of it gives the rights.
const grantsFor = (role: string, owner: string): string => `
  BEGIN;
  GRANT USAGE ON SCHEMA ${WRITTEN}, ${READ} TO ${role};
  GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${WRITTEN} TO ${role};
  GRANT SELECT ON ALL TABLES IN SCHEMA ${READ} TO ${role};
  GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA ${WRITTEN} TO ${role};
  GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO ${role};
  REVOKE INSERT, UPDATE, DELETE ON _prisma_migrations FROM ${role};
  ALTER DEFAULT PRIVILEGES FOR ROLE ${owner} IN SCHEMA ${WRITTEN} GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${role};
  ALTER DEFAULT PRIVILEGES FOR ROLE ${owner} IN SCHEMA ${READ} GRANT SELECT ON TABLES TO ${role};
  ALTER DEFAULT PRIVILEGES FOR ROLE ${owner} IN SCHEMA ${WRITTEN} GRANT USAGE, SELECT ON SEQUENCES TO ${role};
  ALTER DEFAULT PRIVILEGES FOR ROLE ${owner} IN SCHEMA public GRANT EXECUTE ON FUNCTIONS TO ${role};
  COMMIT`;
