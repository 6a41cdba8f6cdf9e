import type pg from "pg";

type Pool = Pick<pg.Pool, "query">;

/** Lets PostgreSQL refuse every write to a table with a given state, as it does when its disk is full. */
export async function refuseWrites(pool: Pool, table: string, sqlState: string): Promise<void> {
  await pool.query(`
    CREATE FUNCTION refuse_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'could not extend file "base/16385/16442": No space left on device'
        USING ERRCODE = '${sqlState}', HINT = 'Check free disk space.';
    END $$`);
  await pool.query(
    `CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON ${table} EXECUTE FUNCTION refuse_${table}()`,
  );
}

export async function allowWrites(pool: Pool, table: string): Promise<void> {
  await pool.query(`DROP FUNCTION refuse_${table} CASCADE`);
}
