// Encrypted connections, as docs/operating/database.md describes them, to a PostgreSQL that accepts no others.
import { chmod, chown, copyFile, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "../../../../src/platform/database/db.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../../../src/platform/embedded/start.ts";
import { createLog } from "../../../../src/platform/log.ts";
import { administer } from "../../../support/database.ts";
import { spawnTdf } from "../../../support/processes/command.ts";

const ROOT = path.join(import.meta.dirname, "../../../..");
const TLS = path.join(ROOT, "test/fixtures/tls");
const CA = path.join(TLS, "ca.pem");
const OTHER_CA = path.join(TLS, "faulty-ca.pem");
const log = createLog("silent");

let folder: string;
let server: EmbeddedPostgres;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tdf-tls-"));
  await chmod(folder, 0o755);
  server = await startEmbeddedPostgres({ dataDir: folder, log, settings: { fsync: "off" } });
  const [cluster = ""] = (await readdir(folder, { recursive: true })).filter((name) =>
    name.endsWith("PG_VERSION"),
  );
  const dataFolder = path.join(folder, path.dirname(cluster));
  const { uid, gid } = await stat(dataFolder);
  for (const [name, mode] of [
    ["receiver.pem", 0o644],
    ["receiver.key", 0o600],
  ] as const) {
    const file = path.join(dataFolder, name);
    await copyFile(path.join(TLS, name), file);
    await chmod(file, mode);
    await chown(file, uid, gid);
  }
  const hba = path.join(dataFolder, "pg_hba.conf");
  for (const setting of ["ssl_cert_file = 'receiver.pem'", "ssl_key_file = 'receiver.key'", "ssl = on"])
    await administer(server.url, `ALTER SYSTEM SET ${setting}`);
  await administer(server.url, "CREATE DATABASE encrypted");
  await writeFile(hba, "host postgres all all trust\nhostssl all all all trust\n");
  await administer(server.url, "SELECT pg_reload_conf()");
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The server's address at a host of its certificate, with a mode. */
function addressWith(parameters: Record<string, string>): string {
  const address = new URL(server.url);
  address.hostname = "localhost";
  // A socket is not encrypted.
  address.searchParams.delete("host");
  address.pathname = "/encrypted";
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  return address.href;
}

describe("a database that accepts encrypted connections only", () => {
  it("is migrated by a command, and every pool's connections are encrypted", async () => {
    const url = addressWith({ sslmode: "verify-full", sslrootcert: CA });
    expect(await spawnTdf({ DATABASE_URL: url }, "migrate")).toMatchObject({ status: 0 });
    const db = await openDatabase({ url, log, poolSizes: { requests: 2, bulk: 1 } });
    try {
      const ask = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
      for (const pool of [db.pool, db.bulkPool, db.sessionPool])
        expect((await pool.query(ask)).rows).toEqual([{ ssl: true }]);
      await expect(db.prisma.plan.count()).resolves.toBe(0);
    } finally {
      await db.close();
    }
  });

  it.each([
    ["a server of another authority", { sslmode: "verify-full", sslrootcert: OTHER_CA }],
    [
      "a server of another authority, by a mode that would not check it",
      { sslmode: "require", sslrootcert: OTHER_CA },
    ],
    ["no encryption", { sslmode: "disable" }],
  ])("refuses %s", async (_what, parameters) => {
    const { status, err } = await spawnTdf({ DATABASE_URL: addressWith(parameters) }, "status");
    expect(status).toBeGreaterThan(0);
    expect(err.trim().split("\n")).toHaveLength(1);
    expect(err).toMatch(/certificate|no encryption|DATABASE_URL/);
  });
});
