// `npm run generate:sql` writes statements.ts for each folder of src with statements in .sql files, with the types that
// PostgreSQL reports. The files are checked in, so that no database is needed to start; see docs/typed-sql.md.
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { migrate } from "../src/platform/database/migrate.ts";
import { startEmbeddedPostgres } from "../src/platform/embedded/start.ts";
import { createLog } from "../src/platform/log.ts";
import { writeIfChanged } from "./generate/write-if-changed.ts";
import { typedFolders } from "./typed-sql/typed-folders.ts";

const root = path.join(import.meta.dirname, "..");
const log = createLog("warn");
const dataDir = await mkdtemp(path.join(tmpdir(), "tdf-sql-"));
try {
  // As root, the server runs as another user, who needs access to the folder.
  await chmod(dataDir, 0o755);
  const server = await startEmbeddedPostgres({ dataDir, log, settings: { fsync: "off" } });
  try {
    await migrate(server.url, { folder: path.join(root, "prisma/migrations"), log });
    for (const [file, text] of await typedFolders(server.url, path.join(root, "src"))) {
      if (await writeIfChanged(file, text)) process.stdout.write(`wrote ${path.relative(root, file)}\n`);
    }
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  } finally {
    await server.stop();
  }
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
