// Single rows go through Prisma's client, unless a statement is on a hot path or does more than Prisma can say.
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { readSql, type Statement } from "../../../scripts/typed-sql/statements.ts";
import { readSchemaFiles } from "../tables/table-owners.ts";
import { isOfOneRow, singleRowsOf, tablesOf } from "./one-row-statements.ts";

const root = path.join(import.meta.dirname, "../../..");
const tables = tablesOf(readSchemaFiles(root).values());
const sources = globSync("src/**/*.ts", { cwd: root, exclude: (name) => name.endsWith("generated") });
const files = new Map(sources.map((name) => [name, readFileSync(path.join(root, name), "utf8")]));
const statements = [...readSql(path.join(root, "src")).statements.values()];

describe("the single rows of src", () => {
  const { byPrisma, bySql, refusals } = singleRowsOf(statements, files, tables);

  it("go through Prisma's client, but for those with a reason", () => {
    expect(refusals).toEqual([]);
    expect(byPrisma.length).toBeGreaterThan(4 * bySql.length);
  });

  it("are of the tables that the client is generated for, and the client of no others", () => {
    const served = [...tables.values()].filter(({ isServed }) => isServed).map(({ accessor }) => accessor);
    expect([...new Set(byPrisma)].sort()).toEqual(served.sort());
  });
});

describe("a statement", () => {
  it.each([
    "SELECT name, email AS address FROM account WHERE id = $1",
    "SELECT FROM webhook_endpoint WHERE id = $1::bigint AND account_id = $2 AND deleted_at IS NULL",
    "SELECT instance_id AS id FROM installation",
    "SELECT quota_rows FROM usage_month WHERE account_id = $1 AND month = $2",
    "UPDATE mail_outbox SET sent_at = $2, body = NULL\nWHERE id = $1",
    "DELETE FROM dashboard_note WHERE token_hash = $1 AND session_hash = $2 RETURNING sealed",
    "INSERT INTO sign_in_link (token_hash, account_id, created_at, expires_at) VALUES ($1, $2, $3, $4)",
  ])("of one row on a pool is refused: %s", (text) => {
    const statement = { path: "a/x", folder: "a", name: "x", text } as Statement;
    const callOn = (client: string) =>
      new Map([
        ["src/a/b.ts", `import * as sql from "../generated/sql/a.ts";\nawait sql.x(${client}, { id });`],
      ]);
    const refusal = "a/x is of one row on a pool: call Prisma's client, or say in STAY_SQL why not";
    expect(singleRowsOf([statement], callOn("context.db.pool"), tables).refusals).toContain(refusal);
    expect(singleRowsOf([statement], callOn("db.bulkPool"), tables).refusals).toContain(refusal);
    expect(singleRowsOf([statement], callOn("client"), tables).refusals).not.toContain(refusal);
  });

  it.each([
    "SELECT id FROM account WHERE id = $1 FOR UPDATE",
    "SELECT name FROM account WHERE plan_code = $1",
    "SELECT count(*) AS count FROM account",
    "SELECT quota_rows FROM usage_month WHERE account_id = $1",
    "SELECT name FROM account JOIN plan ON code = plan_code WHERE id = $1",
    "UPDATE webhook_dispatcher SET seen_at = clock_timestamp() WHERE id = $1",
    "UPDATE usage_month SET api_rows = api_rows + $3 WHERE account_id = $1 AND month = $2",
    "INSERT INTO upkeep (table_name) VALUES ($1) ON CONFLICT DO NOTHING",
    "DELETE FROM dashboard_note WHERE token_hash = $1 RETURNING sealed, expires_at > $2 AS valid",
  ])("that does more stays SQL: %s", (text) => {
    expect(isOfOneRow({ text }, tables)).toBe(false);
  });
});
