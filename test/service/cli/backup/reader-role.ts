// A role that reads the database beside the program.
import { query } from "./backed-up.ts";

const ROLE = `tdf_reader_${process.pid}`;

export const makeRole = () =>
  query(`
    CREATE ROLE ${ROLE};
    GRANT USAGE ON SCHEMA published TO ${ROLE};
    GRANT SELECT ON ALL TABLES IN SCHEMA published, public TO ${ROLE};
    GRANT UPDATE (name) ON account TO ${ROLE};
    GRANT INSERT ON account TO ${ROLE} WITH GRANT OPTION;
    GRANT USAGE ON SEQUENCE event_id_seq TO ${ROLE};
    -- More than the role has on the tables there are, as with _prisma_migrations after --grant.
    ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE ON TABLES TO ${ROLE};
    REVOKE ALL ON TABLE plan FROM ${ROLE};
    ALTER DEFAULT PRIVILEGES IN SCHEMA published GRANT SELECT ON TABLES TO ${ROLE}`);

export const dropRole = () => query(`DROP OWNED BY ${ROLE}; DROP ROLE ${ROLE}`);

/** What roles but the owner may do, as PostgreSQL stores it. */
export const rights = async (): Promise<unknown[]> =>
  (
    await query(`
      SELECT nspname AS on, nspacl::text AS given FROM pg_namespace WHERE nspacl::text LIKE '%${ROLE}%'
      UNION ALL SELECT oid::regclass::text, relacl::text FROM pg_class WHERE relacl::text LIKE '%${ROLE}%'
      UNION ALL SELECT attrelid::regclass || '.' || attname, attacl::text FROM pg_attribute WHERE attacl::text LIKE '%${ROLE}%'
      UNION ALL SELECT defaclnamespace::regnamespace::text, defaclacl::text FROM pg_default_acl
      ORDER BY 1, 2`)
  ).rows;
