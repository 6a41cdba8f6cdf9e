import { glob } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import pg from "pg";
import { loadSql } from "../../src/platform/database/sql.ts";
import { type Catalog, readCatalog } from "./catalog.ts";
import { requireParseTrees, tellParseTrees } from "./describe.ts";
import { type Header, readHeader } from "./header.ts";
import { statementTypes } from "./statement-types.ts";
import { type DescribedFile, statementsText } from "./statements-file.ts";

interface SqlFile {
  folder: string;
  fileName: string;
  text: string;
  header: Header;
}

interface Server {
  client: pg.Client;
  catalog: Catalog;
  src: string;
}

/** The maximum length in bytes of a prepared statement's name in PostgreSQL. */
const LONGEST_NAME = 63;

/**
 * The text of each statements.ts under `src` for the .sql files beside it, by its path. The server must have every
 * migration; everything that runs is rolled back. An Error names each file with a mistake.
 */
export async function typedFolders(databaseUrl: string, src: string): Promise<Map<string, string>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await requireParseTrees(client);
    await tellParseTrees(client);
    const catalog = await readCatalog(client);
    const folders = Map.groupBy(await sqlFiles(src), ({ folder }) => folder);
    const mistakes: string[] = [];
    const texts = new Map<string, string>();
    for (const [folder, files] of folders) {
      const described: DescribedFile[] = [];
      for (const file of files) {
        try {
          described.push({
            fileName: file.fileName,
            ...(await typesOf({ client, catalog, src }, file)),
          });
        } catch (error) {
          mistakes.push(`${path.join(folder, file.fileName)}: ${(error as Error).message}`);
        }
      }
      texts.set(path.join(folder, "statements.ts"), statementsText(described, statementModule(folder, src)));
    }
    if (mistakes.length > 0) throw new Error(mistakes.join("\n"));
    return texts;
  } finally {
    await client.end();
  }
}

async function typesOf({ client, catalog, src }: Server, file: SqlFile) {
  const name = path.relative(src, path.join(file.folder, file.fileName)).replace(/\.sql$/, "");
  if (name.length > LONGEST_NAME) throw new Error(`Its path under src is longer than ${LONGEST_NAME} bytes.`);
  return statementTypes(client, catalog, file, [...textsBefore(file).values()]);
}

/** The texts of the files that must run before one, in order, by their paths. */
function textsBefore({ folder, header }: SqlFile, found = new Map<string, string>()): Map<string, string> {
  for (const earlier of header.after) {
    const file = path.join(folder, earlier);
    if (found.has(file)) continue;
    const before = readSqlFile(file);
    if (!before) throw new Error(`${earlier} has no header.`);
    textsBefore(before, found);
    found.set(file, before.text);
  }
  return found;
}

async function sqlFiles(src: string): Promise<SqlFile[]> {
  const names = await Array.fromAsync(glob("**/*.sql", { cwd: src }));
  return names.sort().flatMap((name) => readSqlFile(path.join(src, name)) ?? []);
}

/** A file with its header; null for one that is only a part of others. */
function readSqlFile(file: string): SqlFile | null {
  const [folder, fileName] = [path.dirname(file), path.basename(file)];
  const text = loadSql(pathToFileURL(file).href, fileName);
  const header = readHeader(text);
  return header && { folder, fileName, text, header };
}

function statementModule(folder: string, src: string): string {
  const relative = path
    .relative(folder, path.join(src, "platform/database/statement.ts"))
    .replaceAll("\\", "/");
  return relative.startsWith(".") ? relative : `./${relative}`;
}
