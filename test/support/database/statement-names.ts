import type pg from "pg";

/** Notes the name of each prepared statement that the pool runs from now on, in order. Empty the list to begin again. */
export function statementNames(pool: pg.Pool): string[] {
  const names: string[] = [];
  const query = pool.query.bind(pool) as (...args: unknown[]) => never;
  pool.query = (...args: unknown[]) => {
    const [{ name }] = args as [{ name?: string }];
    if (name !== undefined) names.push(name);
    return query(...args);
  };
  return names;
}
