import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { type Header, readHeader } from "./header.ts";

/** The kinds of results, as in `-- name: charge :one?`. */
const KINDS = ["one", "one?", "many", "exec"] as const;

/** A statement of a queries.sql file, or of a file of the folder `sql` beside it. */
export interface Statement {
  /** Its folder below src and its name, such as `accounts/usage/charge`. */
  path: string;
  folder: string;
  name: string;
  kind: (typeof KINDS)[number];
  header: Header;
  /** The SQL, with the parts that it includes and without the header. */
  text: string;
}

/** Everything that the .sql files of src say. */
export interface Sql {
  /** By path, ascending. */
  statements: ReadonlyMap<string, Statement>;
  /** Parts that no statement includes, by path: the program joins them to statements. */
  parts: ReadonlyMap<string, string>;
}

/** The maximum length in bytes of a prepared statement's name in PostgreSQL. */
const LONGEST_NAME = 63;

const FIRST_LINE = /^-- (?:name: (?<name>\S+) :(?<kind>\S+)|part: (?<part>\S+))$/;

/** Reads every .sql file under `src`. An Error names each file with a mistake. */
export function readSql(src: string): Sql {
  const files = globSync("**/*.sql", { cwd: src }).map((name) => name.replaceAll("\\", "/"));
  const blocks = files.sort().flatMap((file) => blocksOf(file, readFileSync(path.join(src, file), "utf8")));
  const twice = blocks.find(({ path }, index) => blocks.findIndex((other) => other.path === path) !== index);
  if (twice) throw new Error(`${twice.file}: there are two of ${twice.path}.`);
  const [parts, named] = [blocks.filter(({ isPart }) => isPart), blocks.filter(({ isPart }) => !isPart)];
  const bodies = new Map(parts.map(({ path, body }) => [path, body]));
  const includes = new Set<string>();
  const textOf = (block: Block) => withParts(block, bodies, includes);
  const statements = named.map((block) => statementOf(block, textOf(block)));
  statements.sort((a, b) => (a.path < b.path ? -1 : 1));
  const texts = parts.map((block) => [block.path, textOf(block)] as const);
  return {
    statements: new Map(statements.map((each) => [each.path, each])),
    parts: new Map(texts.filter(([at]) => !includes.has(at))),
  };
}

interface Block {
  file: string;
  path: string;
  kind: string;
  isPart: boolean;
  head: string[];
  body: string;
}

/** Splits a file at the lines with names. Statements in a folder `sql` belong to the folder above. */
function blocksOf(file: string, text: string): Block[] {
  const folder = path.posix.dirname(file).replace(/\/sql$/, "");
  const blocks: Block[] = [];
  for (const line of text.split("\n")) {
    const { name, kind = "", part } = FIRST_LINE.exec(line)?.groups ?? {};
    const block = blocks.at(-1);
    const named = name ?? part;
    if (named !== undefined) {
      blocks.push({ file, path: `${folder}/${named}`, kind, isPart: part !== undefined, head: [], body: "" });
    } else if (!block) {
      if (line.trim() !== "") throw new Error(`${file} must begin with "-- name: … :kind" or "-- part: …".`);
    } else if (block.body === "" && /^--(?! include:)/.test(line)) block.head.push(line);
    else block.body += `${line}\n`;
  }
  return blocks.map((block) => ({ ...block, body: block.body.trim().replace(/;$/, "") }));
}

function statementOf({ file, path: at, kind, head }: Block, text: string): Statement {
  try {
    const known = KINDS.find((each) => each === kind);
    if (!known)
      throw new Error(
        `":${kind}" is not a kind of result: write ${KINDS.map((each) => `:${each}`).join(", ")}.`,
      );
    if (at.length > LONGEST_NAME) throw new Error(`It is longer than ${LONGEST_NAME} bytes with its folder.`);
    const [folder, name] = [path.posix.dirname(at), path.posix.basename(at)];
    return { path: at, folder, name, kind: known, header: readHeader(head), text };
  } catch (error) {
    throw new Error(`${file}, ${path.posix.basename(at)}: ${(error as Error).message}`);
  }
}

/**
 * Replaces each line `-- include: part` by the part, which may be of another folder: `../deliveries/unfinished`. Adds the
 * paths of included parts to `includes`.
 */
const withParts = (
  { file, path: at, body }: Pick<Block, "file" | "path" | "body">,
  bodies: ReadonlyMap<string, string>,
  includes: Set<string>,
): string =>
  body.replace(/^-- include: (\S+)$/gm, (_, part: string) => {
    const partPath = path.posix.join(path.posix.dirname(at), part);
    const found = bodies.get(partPath);
    if (found === undefined) throw new Error(`${file} includes ${part}, and there is no such part.`);
    includes.add(partPath);
    return withParts({ file, path: partPath, body: found }, bodies, includes);
  });

/**
 * The statements that create the temporary tables that a statement needs, in order. Throws for a table that no
 * statement makes, or that several make.
 */
export function makersFor(
  { statements }: Sql,
  statement: Statement,
  found = new Set<Statement>(),
): Set<Statement> {
  for (const table of statement.header.reads) {
    const makers = [...statements.values()].filter(({ header }) => header.makes.includes(table));
    const [maker] = makers;
    if (!maker || makers.length > 1) {
      throw new Error(
        `It reads ${table}, which ${maker ? makers.map((each) => each.path).join(" and ") : "no statement"} makes.`,
      );
    }
    if (maker === statement || found.has(maker)) continue;
    makersFor({ statements, parts: new Map() }, maker, found);
    found.add(maker);
  }
  return found;
}

/** A hash of everything in the .sql files that decides a statement's types. */
export function hashOf(sql: Sql, statement: Statement): string {
  const hash = createHash("sha256");
  for (const { kind, header, text } of [...makersFor(sql, statement), statement]) {
    const { description, isPlannedOnce, types, ...rest } = header;
    hash.update(JSON.stringify([kind, rest, [...types], text]));
  }
  return hash.digest("hex").slice(0, 12);
}
