// `npm run generate:sql` writes prisma/sql-types.lock, with the types that PostgreSQL reports for the statements in the
// .sql files of src; see docs/typed-sql.md.
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { writeSqlModules } from "./generate/sql-modules.ts";
import { writeIfChanged } from "./generate/write-if-changed.ts";
import { lockFile, lockText } from "./typed-sql/lock.ts";
import { readSql } from "./typed-sql/statements.ts";
import { typedStatements } from "./typed-sql/typed-statements.ts";

const root = path.join(import.meta.dirname, "..");
const dataDir = await mkdtemp(path.join(tmpdir(), "tdf-sql-"));
try {
  const sql = readSql(path.join(root, "src"));
  // The program migrates the database, and its own statements may be new.
  await writeSqlModules(root);
  const { migrate } = await import("../src/platform/database/migrate.ts");
  const { startEmbeddedPostgres } = await import("../src/platform/embedded/start.ts");
  const { createLog } = await import("../src/platform/log.ts");
  const log = createLog("warn");
  // As root, the server runs as another user, who needs access to the folder.
  await chmod(dataDir, 0o755);
  const server = await startEmbeddedPostgres({ dataDir, log, settings: { fsync: "off" } });
  try {
    await migrate(server.url, { folder: path.join(root, "prisma/migrations"), log });
    const text = lockText(root, sql, await typedStatements(server.url, sql));
    if (await writeIfChanged(lockFile(root), text)) process.stdout.write("wrote prisma/sql-types.lock\n");
    await writeSqlModules(root);
  } finally {
    await server.stop();
  }
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
