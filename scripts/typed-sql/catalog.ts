import type pg from "pg";
import { readTree, TreeNode } from "./parse-tree.ts";

/** The parts of the database's catalogue that decide about nulls. */
export interface Catalog {
  types: ReadonlyMap<number, TypeEntry>;
  /** Columns that are declared NOT NULL, as `relation.column` by their numbers. */
  notNull: ReadonlySet<string>;
  /** The query of each view. */
  views: ReadonlyMap<string, TreeNode>;
  functions: ReadonlyMap<string, FunctionEntry>;
  operators: ReadonlyMap<string, FunctionEntry>;
}

interface TypeEntry {
  name: string;
  /** The type of an array's elements; 0 for other types. */
  element: number;
}

/** A function, or an operator with the properties of its function. */
export interface FunctionEntry {
  name: string;
  isBuiltIn: boolean;
  /** Returns null whenever an argument is null. */
  isStrict: boolean;
  /** Names of the arguments' types. */
  takes: readonly string[];
}

/** Reads the catalogue as it is now, with the temporary tables of the session. */
export async function readCatalog(client: pg.Client): Promise<Catalog> {
  const types = await rowsOf<{ oid: number; name: string; element: number }>(
    client,
    `SELECT oid, typname AS name, CASE WHEN typcategory = 'A' THEN typelem ELSE 0 END AS element FROM pg_type`,
  );
  const notNull = await rowsOf<{ name: string }>(
    client,
    `SELECT attrelid || '.' || attnum AS name FROM pg_attribute
     WHERE attnotnull AND NOT attisdropped AND NOT EXISTS (
       SELECT FROM pg_constraint WHERE conrelid = attrelid AND contype = 'n' AND conkey[1] = attnum
         AND NOT convalidated)`,
  );
  const views = await rowsOf<{ oid: number; tree: string }>(
    client,
    `SELECT ev_class AS oid, ev_action::text AS tree FROM pg_rewrite
     JOIN pg_class ON pg_class.oid = ev_class
     WHERE rulename = '_RETURN' AND relnamespace <> 'pg_catalog'::regnamespace
       AND relnamespace <> 'information_schema'::regnamespace`,
  );
  const functions = await rowsOf<FunctionEntry & { oid: number }>(
    client,
    `SELECT oid, proname AS name, pronamespace = 'pg_catalog'::regnamespace AS "isBuiltIn",
            proisstrict AS "isStrict",
            ARRAY(SELECT format_type(type, NULL) FROM unnest(proargtypes) WITH ORDINALITY AS a (type, n) ORDER BY n) AS takes
     FROM pg_proc`,
  );
  const operators = await rowsOf<FunctionEntry & { oid: number }>(
    client,
    `SELECT pg_operator.oid, oprname AS name, oprnamespace = 'pg_catalog'::regnamespace AS "isBuiltIn",
            proisstrict AS "isStrict", ARRAY[format_type(oprleft, NULL), format_type(oprright, NULL)] AS takes
     FROM pg_operator JOIN pg_proc ON pg_proc.oid = oprcode`,
  );
  return {
    types: new Map(types.map(({ oid, ...type }) => [oid, type])),
    notNull: new Set(notNull.map(({ name }) => name)),
    views: new Map(views.flatMap(({ oid, tree }) => queriesOf(tree).map((query) => [`${oid}`, query]))),
    functions: new Map(functions.map(({ oid, ...entry }) => [`${oid}`, entry])),
    operators: new Map(operators.map(({ oid, ...entry }) => [`${oid}`, entry])),
  };
}

const rowsOf = async <Row extends pg.QueryResultRow>(client: pg.Client, text: string): Promise<Row[]> =>
  (await client.query<Row>(text)).rows;

function queriesOf(text: string): TreeNode[] {
  const tree = readTree(text);
  return Array.isArray(tree) ? tree.filter((item) => item instanceof TreeNode) : [];
}
