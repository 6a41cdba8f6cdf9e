import type pg from "pg";
import { type Catalog, readCatalog } from "./catalog.ts";
import { type Description, describeStatement } from "./describe.ts";
import type { Header, NarrowType } from "./header.ts";
import { neverNullColumns } from "./never-null.ts";
import { columnType, isNarrowable, parameterType } from "./types.ts";

/** A parameter or a column, and its type in TypeScript. */
export interface Member {
  name: string;
  type: string;
}

/** The types of a statement in TypeScript. */
export interface StatementTypes {
  parameters: Member[];
  columns: Member[];
}

/** Gets the types of a statement from the server; an Error describes a mistake in it or in its header. */
export async function statementTypes(
  client: pg.Client,
  catalog: Catalog,
  { text, header }: { text: string; header: Header },
  before: readonly string[] = [],
): Promise<StatementTypes> {
  await client.query("BEGIN");
  try {
    for (const earlier of before) await runWithNulls(client, earlier);
    const described = await describeOrRun(client, text);
    if (described === SCRIPT) return scriptTypes(header);
    const current = before.length > 0 ? await readCatalog(client) : catalog;
    return {
      parameters: parametersOf(described, header, current),
      columns: columnsOf(described, header, current),
    };
  } finally {
    await client.query("ROLLBACK");
  }
}

// Creates the temporary tables that the statement reads, in a transaction that is rolled back.
async function runWithNulls(client: pg.Client, text: string): Promise<void> {
  const described = await describeOrRun(client, text);
  if (described === SCRIPT) return;
  const nulls = described.parameterTypes.map(() => null);
  await client.query(text, nulls);
}

/** A file of several statements: it takes no parameters and returns no rows. */
const SCRIPT = "script";

// PostgreSQL describes single statements only. A script is run, to check that it can run.
async function describeOrRun(client: pg.Client, text: string): Promise<Description | typeof SCRIPT> {
  await client.query("SAVEPOINT described");
  try {
    return await describeStatement(client, text);
  } catch (error) {
    if (!/multiple commands/.test((error as Error).message)) throw error;
    await client.query("ROLLBACK TO described");
    await client.query(text);
    return SCRIPT;
  }
}

function scriptTypes({ parameters, neverNull, types }: Header): StatementTypes {
  if (parameters.length + neverNull.length + types.size === 0) {
    return { parameters: [], columns: [] };
  }
  throw new Error(
    "Its header names parameters or columns, which a file of several statements does not have.",
  );
}

function parametersOf({ parameterTypes }: Description, { parameters }: Header, catalog: Catalog): Member[] {
  if (parameters.length !== parameterTypes.length) {
    throw new Error(`It has ${parameterTypes.length} parameters, and its header names ${parameters.length}.`);
  }
  return parameters.map(({ name, isNullable, hasNullableElements }, index) => {
    const type = parameterType(catalog, parameterTypes[index] ?? 0, hasNullableElements);
    return { name, type: isNullable ? `${type} | null` : type };
  });
}

function columnsOf({ columns, query }: Description, header: Header, catalog: Catalog): Member[] {
  const numbersWhere = (is: (parameter: Header["parameters"][number]) => boolean) =>
    new Set(header.parameters.flatMap((parameter, index) => (is(parameter) ? [index + 1] : [])));
  const neverNull = neverNullColumns(query, {
    catalog,
    nullable: {
      parameters: numbersWhere(({ isNullable }) => isNullable),
      elements: numbersWhere(({ hasNullableElements }) => hasNullableElements),
    },
  });
  const names = columns.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index || name === "?column?");
  if (twice) throw new Error(`Its column "${twice}" needs a name of its own.`);
  for (const name of [...header.neverNull, ...header.types.keys()]) {
    if (!names.includes(name))
      throw new Error(`Its header names the column ${name}, which it does not return.`);
  }
  return columns.map(({ name, type }, index) => {
    const isSaidNeverNull = header.neverNull.includes(name);
    const isDerived = neverNull[index] === true;
    if (isSaidNeverNull && isDerived) throw new Error(`${name} is never null: remove it from the header.`);
    const own = columnType(catalog, type);
    const said = narrowed(name, own, header.types.get(name));
    return { name, type: isSaidNeverNull || isDerived || said === "unknown" ? said : `${said} | null` };
  });
}

function narrowed(column: string, own: string, narrow: NarrowType | undefined): string {
  if (!narrow) return own;
  if (!isNarrowable(own))
    throw new Error(`The type of ${column} is ${own}; only text and json can be narrowed.`);
  return narrow.text;
}
