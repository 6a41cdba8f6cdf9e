import type { Context } from "../../src/platform/context.ts";

/** Changes when a row of any table is written, except the tables of import runs. A copy of a database has the same. */
export async function fingerprint({ db }: Context): Promise<string> {
  const { rows } = await db.pool.query<{ name: string }>(
    `SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) AS name FROM pg_tables
     WHERE schemaname IN ('public', 'published') AND tablename NOT LIKE 'import%' ORDER BY 1`,
  );
  const parts = rows.map(
    ({ name }) =>
      `SELECT '${name}' || ' ' || count(*) || ' ' || coalesce(sum(hashtextextended(ctid::text || xmin::text, 0)), 0) AS print FROM ${name}`,
  );
  const prints = await db.pool.query<{ print: string }>(`${parts.join(" UNION ALL ")} ORDER BY 1`);
  return prints.rows.map(({ print }) => print).join();
}
