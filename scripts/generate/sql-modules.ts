import { globSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { dueIn, lockFile, readLock } from "../typed-sql/lock.ts";
import { sqlModules } from "../typed-sql/modules.ts";
import { readSql } from "../typed-sql/statements.ts";
import { writeIfChanged } from "./write-if-changed.ts";

/**
 * Writes the typed modules of src/generated/sql from the .sql files of src and the lock file, and returns the statements
 * whose types the lock file does not know. Their SQL is up to date all the same.
 */
export async function writeSqlModules(root: string): Promise<string[]> {
  const sql = readSql(path.join(root, "src"));
  const lock = readLock(await readFile(lockFile(root), "utf8").catch(() => ""));
  const folder = path.join(root, "src/generated/sql");
  const modules = sqlModules(sql, lock);
  for (const [file, text] of modules) await writeIfChanged(path.join(folder, file), text);
  for (const file of globSync("**/*.ts", { cwd: folder })) {
    if (!modules.has(file.replaceAll("\\", "/"))) await rm(path.join(folder, file));
  }
  return dueIn(root, sql, lock);
}
