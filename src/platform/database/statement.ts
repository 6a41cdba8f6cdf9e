import type pg from "pg";
import { traced } from "../tracing/tracing.ts";
import { loadSql } from "./sql.ts";

/** A pool, or the client of a transaction. */
export type Queryable = Pick<pg.PoolClient, "query"> | Pick<pg.Pool, "query">;

/** The result of a statement. */
export interface StatementResult<Row> {
  rows: Row[];
  /** Rows returned or changed. */
  rowCount: number;
}

/** A .sql file that can be run. Its types are those of statements.ts beside it, see docs/typed-sql.md. */
export interface Statement<Params, Row> {
  /** The SQL. */
  readonly text: string;
  /** Runs it; the server plans it each time. */
  run(client: Queryable, params: Params): Promise<StatementResult<Row>>;
  /** Runs it as a prepared statement: planned once per connection. For hot paths. */
  prepared(client: Queryable, params: Params): Promise<StatementResult<Row>>;
}

const SRC = new URL("../../", import.meta.url).href;

/** The statement of a .sql file beside the calling module; `names` are its parameters from $1 on. */
export function statement<Params, Row>(
  moduleUrl: string,
  fileName: string,
  names: readonly (keyof Params & string)[],
): Statement<Params, Row> {
  const text = loadSql(moduleUrl, fileName);
  const name = new URL(fileName, moduleUrl).href.slice(SRC.length).replace(/\.sql$/, "");
  const valuesOf = (params: Params) => names.map((each) => params[each]);
  return {
    text,
    run: (client, params) => tracedAs(name, () => client.query({ text, values: valuesOf(params) })),
    prepared: (client, params) =>
      tracedAs(name, () => client.query({ name, text, values: valuesOf(params) })),
  };
}

/**
 * Runs SQL text that is built at run time, such as a statement that names a version's table. Its rows have no types:
 * the caller says what they are. With a `name` the statement is prepared once per connection.
 */
export const dynamic = (
  client: Queryable,
  text: string,
  values: readonly unknown[] = [],
  options: { name?: string; rowMode?: "array" } = {},
): Promise<StatementResult<unknown>> =>
  tracedAs("dynamic", () => client.query({ text, values: [...values], ...options }));

/** Makes the planner's statistics of a table. A long import needs them for tables that it has just filled. */
export const analyze = (client: Queryable, table: string): Promise<unknown> =>
  dynamic(client, `ANALYZE ${table}`);

/** Runs a statement in a span that has its name, but neither its text nor its values. */
const tracedAs = <Row>(
  name: string,
  query: () => Promise<pg.QueryResult | pg.QueryResult[]>,
): Promise<StatementResult<Row>> => traced(`sql ${name}`, () => resultOf<Row>(query()), SQL_STEP);

const SQL_STEP = {
  kind: "client",
  isDetail: true,
  attributesOf: ({ rowCount }: StatementResult<unknown>) => ({
    "db.system.name": "postgresql",
    rows: rowCount,
  }),
} as const;

async function resultOf<Row>(
  answer: Promise<pg.QueryResult | pg.QueryResult[]>,
): Promise<StatementResult<Row>> {
  const answered = await answer;
  // A file of several statements has several results, without rows.
  if (Array.isArray(answered)) return { rows: [], rowCount: 0 };
  const { rows, rowCount } = answered;
  return { rows, rowCount: rowCount ?? 0 };
}
