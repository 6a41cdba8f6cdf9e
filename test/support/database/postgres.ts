// Vitest's global set-up: one PostgreSQL for the whole run, with a migrated template that every test file copies.
// TEST_DATABASE_URL names a server to use, with a role that may create databases; without it we start our own.
import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { migrate } from "../../../src/platform/database/migrate.ts";
import { startEmbeddedPostgres } from "../../../src/platform/embedded/start.ts";
import { createLog } from "../../../src/platform/log.ts";
import { administer, databaseUrl, dropDatabase } from "../database.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The server, as the address of a database on it that no test changes. */
    serverUrl: string;
    /** The name of the migrated database that others are made from. */
    templateName: string;
  }
}

const MIGRATIONS = path.join(import.meta.dirname, "../../../prisma/migrations");

interface TestServer {
  url: string;
  templateName: string;
  stop(): Promise<void>;
}

/** The server of this run. Each Vitest project loads this file for itself, so only the global object is shared. */
const run = globalThis as { testServer?: Promise<TestServer>; testServerUsers?: number };

/** Gives a project the server of the run. The first project starts it, the last one to end stops it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  run.testServer ??= startTestServer();
  const server = await run.testServer;
  run.testServerUsers = (run.testServerUsers ?? 0) + 1;
  project.provide("serverUrl", server.url);
  project.provide("templateName", server.templateName);
  return async () => {
    run.testServerUsers = (run.testServerUsers ?? 0) - 1;
    if (run.testServerUsers > 0) return;
    delete run.testServer;
    await server.stop();
  };
}

async function startTestServer(): Promise<TestServer> {
  const server = await openServer(process.env.TEST_DATABASE_URL);
  const templateName = `tdf_template_${randomBytes(6).toString("hex")}`;
  const stop = () => dropDatabase(server.url, templateName).finally(() => server.stop());
  try {
    await administer(server.url, `CREATE DATABASE ${templateName}`);
    await migrate(databaseUrl(server.url, templateName), { folder: MIGRATIONS, log });
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: server.url, templateName, stop };
}

const log = createLog("warn");

/** The server's data does not outlive the run. Tests make the statistics that they need. */
const SETTINGS = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  autovacuum: "off",
  // Its files are in memory: handing each read to another process takes longer than the read.
  io_method: "sync",
  // The folder may be in memory.
  max_wal_size: "512MB",
  max_connections: "200",
};

/** The server of an address, or a new one. */
export async function openServer(
  namedUrl: string | undefined,
): Promise<{ url: string; stop(): Promise<void> }> {
  if (namedUrl) return { url: namedUrl, stop: async () => {} };
  const folder = await mkdtemp(path.join(tmpdir(), "tdf-test-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    // When this process is root, the server runs as another user, who needs access to the folder.
    await chmod(folder, 0o755);
    const server = await startEmbeddedPostgres({ dataDir: folder, log, settings: SETTINGS });
    const stop = () => server.stop().finally(remove);
    return { url: server.url, stop };
  } catch (error) {
    await remove();
    throw error;
  }
}
