import pg from "pg";

/** The tables that an import fills, each with its table in schema staging, if any. */
const FILLED = `
  SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
  WHERE schemaname = 'staging' OR schemaname = 'public' AND (
    tablename IN (SELECT tablename FROM pg_tables WHERE schemaname = 'staging')
    OR tablename IN ('source', 'authority', 'pending_revocation', 'cancellation_notice', 'seen_order', 'shared_contact'))`;

/**
 * Creates the empty registry and staging tables of a database again with their columns in the opposite order, like an
 * older database to which migrations added columns one by one. Keys, indexes and views are created again too.
 */
export async function reverseColumns(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const read = async (sql: string) =>
      (await client.query<{ line: string }>(sql)).rows.map(({ line }) => line);
    const views = await read(
      "SELECT format('CREATE OR REPLACE VIEW %I AS %s', viewname, definition) AS line FROM pg_views WHERE schemaname = 'public'",
    );
    const keys = await read(
      `SELECT format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS line
       FROM pg_constraint WHERE contype <> 'n' AND conrelid IN (SELECT name::regclass FROM (${FILLED}) AS filled)`,
    );
    const indexes = await read(
      `SELECT pg_get_indexdef(indexrelid) AS line FROM pg_index
       WHERE NOT indisprimary AND indrelid IN (SELECT name::regclass FROM (${FILLED}) AS filled)`,
    );
    const tables = await read(
      `SELECT format('DROP TABLE %1$s CASCADE; CREATE %2$s TABLE %1$s (%3$s)', name,
         CASE relpersistence WHEN 'u' THEN 'UNLOGGED' ELSE '' END, columns) AS line
       FROM (${FILLED}) AS filled
       JOIN pg_class ON pg_class.oid = name::regclass
       CROSS JOIN LATERAL (
         SELECT string_agg(
           concat_ws(' ', quote_ident(attname), format_type(atttypid, atttypmod),
             CASE WHEN attnotnull THEN 'NOT NULL' END, 'DEFAULT ' || pg_get_expr(adbin, adrelid)),
           ', ' ORDER BY attnum DESC) AS columns
         FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
         WHERE attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
       ) AS reversed`,
    );
    for (const statement of [...tables, ...keys, ...indexes, ...views]) await client.query(statement);
  } finally {
    await client.end();
  }
}
