// refused: 'row' is of type 'unknown'
import { dynamic, type Queryable } from "../../../src/platform/database/statement.ts";

export async function ones(db: Queryable): Promise<number[]> {
  const { rows } = await dynamic(db, "SELECT 1 AS one");
  return rows.map((row) => row.one);
}
