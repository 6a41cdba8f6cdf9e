import pg from "pg";
import { readCatalog } from "./catalog.ts";
import { requireParseTrees, tellParseTrees } from "./describe.ts";
import { type StatementTypes, statementTypes } from "./statement-types.ts";
import { makersFor, type Sql } from "./statements.ts";

/**
 * The types of every statement, by its path. The server must have every migration; everything that runs is rolled back.
 * An Error names each statement with a mistake.
 */
export async function typedStatements(databaseUrl: string, sql: Sql): Promise<Map<string, StatementTypes>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await requireParseTrees(client);
    await tellParseTrees(client);
    const catalog = await readCatalog(client);
    const mistakes: string[] = [];
    const types = new Map<string, StatementTypes>();
    for (const [at, statement] of sql.statements) {
      try {
        const before = [...makersFor(sql, statement)].map(({ text }) => text);
        const found = await statementTypes(client, catalog, statement, before);
        if (statement.kind !== "exec" && found.columns.length === 0)
          throw new Error("It returns no rows: write :exec.");
        types.set(at, found);
      } catch (error) {
        mistakes.push(`src/${at}: ${(error as Error).message}`);
      }
    }
    if (mistakes.length > 0) throw new Error(mistakes.join("\n"));
    return types;
  } finally {
    await client.end();
  }
}
