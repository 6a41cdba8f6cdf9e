import type pg from "pg";
import { traced } from "../tracing/tracing.ts";

/** A pool, or the client of a transaction. */
export type Queryable = Pick<pg.PoolClient, "query"> | Pick<pg.Pool, "query">;

/** The result of a statement. */
interface StatementResult<Row> {
  rows: Row[];
  /** Rows returned or changed. */
  rowCount: number;
}

/** A statement of a queries.sql file: a function that runs it, see docs/typed-sql.md. */
export interface Statement<Params, Result> {
  (client: Queryable, params: Params): Promise<Result>;
  /** The SQL. */
  readonly text: string;
}

/** What a generated module says of a statement. */
interface Definition<Params> {
  /** Such as `accounts/usage/charge`. */
  name: string;
  /** The names of the parameters, from $1 on. */
  params: readonly (keyof Params & string)[];
  /** Whether the server plans it once per connection, instead of each time. */
  isPlannedOnce?: boolean;
  text: string;
}

/** A statement that returns rows. */
export const many = <Params, Row>(definition: Definition<Params>): Statement<Params, Row[]> =>
  statement(definition, ({ rows }: StatementResult<Row>) => rows);

/** A statement that always returns a row; an Error if it returned none. */
export const one = <Params, Row>(definition: Definition<Params>): Statement<Params, Row> =>
  statement(definition, ({ rows: [row] }: StatementResult<Row>) => {
    if (row === undefined) throw new Error(`The statement ${definition.name} returned no row.`);
    return row;
  });

/** A statement that returns a row or none. */
export const oneOrNone = <Params, Row>(definition: Definition<Params>): Statement<Params, Row | undefined> =>
  statement(definition, ({ rows }: StatementResult<Row>) => rows[0]);

/** A statement of which the number of rows counts that it changed. */
export const exec = <Params>(definition: Definition<Params>): Statement<Params, number> =>
  statement(definition, ({ rowCount }) => rowCount);

function statement<Params, Row, Result>(
  { name, params: names, isPlannedOnce = false, text }: Definition<Params>,
  resultOf: (result: StatementResult<Row>) => Result,
): Statement<Params, Result> {
  const query = isPlannedOnce ? { name, text } : { text };
  const run = async (client: Queryable, params: Params) => {
    const values = names.map((each) => params[each]);
    return resultOf(await tracedAs<Row>(name, () => client.query({ ...query, values })));
  };
  return Object.assign(run, { text });
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
): Promise<StatementResult<Row>> => traced(`sql ${name}`, () => answerOf<Row>(query()), SQL_STEP);

const SQL_STEP = {
  kind: "client",
  isDetail: true,
  attributesOf: ({ rowCount }: StatementResult<unknown>) => ({
    "db.system.name": "postgresql",
    rows: rowCount,
  }),
} as const;

async function answerOf<Row>(
  answer: Promise<pg.QueryResult | pg.QueryResult[]>,
): Promise<StatementResult<Row>> {
  const answered = await answer;
  // Several statements in one text have several results, without rows.
  if (Array.isArray(answered)) return { rows: [], rowCount: 0 };
  const { rows, rowCount } = answered;
  return { rows, rowCount: rowCount ?? 0 };
}
