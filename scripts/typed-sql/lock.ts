// prisma/sql-types.lock: the types of every statement, as the migrated database reported them. Nobody needs a database to
// compile or to start the program.
import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Member, StatementTypes } from "./statement-types.ts";
import { hashOf, type Sql } from "./statements.ts";

/** The types of one statement, written as types of TypeScript. */
interface LockedTypes {
  hash: string;
  /** Such as `{ usdot: number; since: Date | null }`. */
  parameters: string;
  columns: string;
}

export interface Lock {
  /** The hash of the migrations that the database had. */
  migrations: string;
  /** By the statement's path. */
  types: ReadonlyMap<string, LockedTypes>;
}

export const lockFile = (root: string): string => path.join(root, "prisma/sql-types.lock");

const LINE = /^(?<at>\S+) (?<hash>\w+) (?<parameters>\{.*\}) => (?<columns>\{.*\})$/;

/** Reads the lock file's text. */
export function readLock(text: string): Lock {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const types = new Map<string, LockedTypes>();
  let migrations = "";
  for (const line of lines) {
    if (line.startsWith("migrations ")) migrations = line.slice("migrations ".length);
    const { at, hash = "", parameters = "", columns = "" } = LINE.exec(line)?.groups ?? {};
    if (at !== undefined) types.set(at, { hash, parameters, columns });
  }
  return { migrations, types };
}

/** The lock file's text: a line for each statement. */
export function lockText(root: string, sql: Sql, types: ReadonlyMap<string, StatementTypes>): string {
  const lines = [...sql.statements].map(([at, statement]) => {
    const { parameters = [], columns = [] } = types.get(at) ?? {};
    return `${at} ${hashOf(sql, statement)} ${typeOf(parameters)} => ${typeOf(columns)}`;
  });
  const first =
    "# Written by `npm run generate:sql`: the types of each statement's parameters and columns. Don't edit it.";
  return [first, `migrations ${migrationsHash(root)}`, ...lines, ""].join("\n");
}

/** The statements whose types are not those of the lock file, and "the migrations" where these have changed. */
export function dueIn(root: string, sql: Sql, { migrations, types }: Lock): string[] {
  const changed = [...sql.statements].filter(([at, each]) => types.get(at)?.hash !== hashOf(sql, each));
  const gone = [...types.keys()].filter((at) => !sql.statements.has(at));
  const names = [...changed.map(([at]) => at), ...gone];
  return migrations === migrationsHash(root) ? names : ["the migrations", ...names];
}

function migrationsHash(root: string): string {
  const folder = path.join(root, "prisma/migrations");
  const hash = createHash("sha256");
  for (const file of globSync("*/migration.sql", { cwd: folder }).sort()) {
    hash.update(file.replaceAll("\\", "/")).update(readFileSync(path.join(folder, file)));
  }
  return hash.digest("hex").slice(0, 12);
}

const typeOf = (members: readonly Member[]): string =>
  members.length === 0
    ? "{}"
    : `{ ${members.map(({ name, type }) => `${keyOf(name)}: ${type}`).join("; ")} }`;

const keyOf = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));
