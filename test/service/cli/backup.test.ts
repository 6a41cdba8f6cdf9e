// A backup, then damage, then a restore: the database is what it was, but for businesses removed since.
import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { makeBackup } from "../../../src/backup/backup.ts";
import { lastBackupAt } from "../../../src/backup/last-backup.ts";
import { loadTables } from "../../../src/backup/load.ts";
import { verifyBackup } from "../../../src/backup/read-backup.ts";
import { importFolder } from "../../../src/importer/import.ts";
import { openDatabase } from "../../../src/platform/database/db.ts";
import { migrate } from "../../../src/platform/database/migrate.ts";
import { requireSecretsKey } from "../../../src/platform/installation/installation.ts";
import { createLog } from "../../../src/platform/log.ts";
import { OperatorError } from "../../../src/platform/operator-error.ts";
import { VERSION } from "../../../src/platform/version.ts";
import { undoRemovals } from "../../../src/suppression/requests/requests.ts";
import { openAccount } from "../../support/accounts.ts";
import { settableClock } from "../../support/clock.ts";
import { openTestContext } from "../../support/context.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { dump } from "../../support/dump.ts";
import { putEvents } from "../../support/events/events.ts";
import { EVERYTHING, FEED_CODES } from "../../support/feeds/served-feeds.ts";
import { MAIN, type Printed, runTdf, spawnTdf } from "../../support/processes/command.ts";
import { type RegistryFolders, registryFolders } from "../../support/registry/registry-folders.ts";
import { optOut } from "../../support/removals/opt-outs.ts";
import { changeRows, putRows, removeRows } from "../../support/rows.ts";
import { TEST_SECRETS_KEY } from "../../support/secrets.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { putDelivery } from "../../support/webhooks/deliveries.ts";
import { registerEndpoint } from "../../support/webhooks/endpoints.ts";
import type { Changes } from "../api/feeds/synced-feed.ts";

const FEED_SIZES = "20261126100001_feed_sizes";
/** It makes a sequence. */
const CHANGE_IDS = "20261221000000_change_numbers";
/** A business that is in no feed. */
const OTHER = 9_000_001;
const ROLE = `tdf_reader_${process.pid}`;
const ENV = { TRUST_PROXY_HOPS: "1" };

let database: TestDatabase;
let registry: RegistryFolders;
let folder: string;
let file: string;
let key: string;
/** As the service gave them before the backup, by feed. */
let exportsBefore: Map<string, string>;
let dumpBefore: Record<string, unknown>;
let rulesBefore: unknown[];
/** A business of a feed that is removed after the backup. */
let removed: string;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(path.join(tmpdir(), "tdf-backup-"));
  await chmod(folder, 0o755);
  file = path.join(folder, "backup.zst");
  registry = await registryFolders({ carriers: 400, seed: 5, firstDay: "2026-11-19", days: 2 });
  const service = await startTestService({ databaseUrl: database.url, env: ENV });
  for (const day of [0, 1])
    await importFolder(service.context, { dir: registry.day(day), asOf: null, accept: new Set() });
  await requireSecretsKey(service.context);
  const account = await service.createAccount(EVERYTHING);
  key = account.key;
  const { id: endpointId } = await registerEndpoint(service.context, account.accountId);
  await putDelivery(service.context, { endpointId, status: "delivered" });
  await optOut(service.url, { usdot: "99999999" });
  exportsBefore = await exportsOf(service);
  removed = usdotsIn(exportsBefore.get("us_brokers"))[0] ?? "";
  expect(removed).toMatch(/^\d+$/);
  const detectedAt = "2026-11-21T11:00:00Z";
  await putEvents(
    service.context.db,
    [Number(removed), OTHER].map((usdot) => ({ usdot, state: null, detectedAt })),
  );
  expect(await eventsOf(service)).toEqual([removed, String(OTHER)]);
  await service.stop();
  dumpBefore = await dumpOf(database.url);
  rulesBefore = await rules();
  expect(await tdf("backup", file)).toMatchObject({ err: "", status: 0 });
});
afterAll(async () => {
  await registry.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

/** A command on the named database, or with another environment. */
const tdf = (...words: string[]): Promise<Printed> => tdfOn({ DATABASE_URL: database.url }, ...words);

const tdfOn = (env: NodeJS.ProcessEnv, ...words: string[]): Promise<Printed> =>
  runTdf({ ...settings(), ...env }, ...words);

const settings = () => ({ DATA_DIR: path.join(folder, "data"), SECRETS_KEY: TEST_SECRETS_KEY });

async function exportsOf(service: TestService): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const feed of FEED_CODES) {
    const answer = await service.get(`/v1/feeds/${feed}/export.csv`, key);
    expect(answer.status).toBe(200);
    texts.set(feed, await answer.text());
  }
  return texts;
}

async function onService<T>(run: (service: TestService) => Promise<T>): Promise<T> {
  const service = await startTestService({ databaseUrl: database.url, env: ENV });
  return run(service).finally(service.stop);
}

/** The numbers of the businesses that events are of. */
async function eventsOf(service: TestService): Promise<string[]> {
  const answer = await service.get("/v1/events?limit=1000", key);
  const { data } = (await answer.json()) as { data: { usdot: string }[] };
  return data.map(({ usdot }) => usdot);
}

const rowsOf = (csv = ""): string[] => csv.split("\r\n");

const usdotsIn = (csv = ""): string[] => {
  const [heading = "", ...rows] = rowsOf(csv).filter((row) => row !== "");
  const at = heading.split(",").indexOf("dot_number");
  // No cell before the number is quoted.
  return rows.map((row) => row.split(",")[at] ?? "");
};

async function dumpOf(url: string): Promise<Record<string, unknown>> {
  const db = await openDatabase({ url, log: createLog("silent") });
  try {
    return await dump(db);
  } finally {
    await db.close();
  }
}

async function connected<T>(run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  return run(client).finally(() => client.end());
}

const query = (sql: string): Promise<pg.QueryResult> => connected((client) => client.query(sql));

/** Constraints, indexes, and triggers with whether they are on. */
const rules = async (): Promise<unknown[]> =>
  (
    await query(`
      SELECT conrelid::regclass::text, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid > 0
      UNION ALL SELECT indrelid::regclass::text, pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid > 16384
      UNION ALL SELECT tgname, tgenabled::text FROM pg_trigger WHERE NOT tgisinternal
      ORDER BY 1, 2`)
  ).rows.filter(({ conrelid }) => !String(conrelid).startsWith("pg_toast"));

/** What roles but the owner may do, as PostgreSQL stores it. */
const rights = async (): Promise<unknown[]> =>
  (
    await query(`
      SELECT nspname AS on, nspacl::text AS given FROM pg_namespace WHERE nspacl::text LIKE '%${ROLE}%'
      UNION ALL SELECT oid::regclass::text, relacl::text FROM pg_class WHERE relacl::text LIKE '%${ROLE}%'
      UNION ALL SELECT attrelid::regclass || '.' || attname, attacl::text FROM pg_attribute WHERE attacl::text LIKE '%${ROLE}%'
      UNION ALL SELECT defaclnamespace::regnamespace::text, defaclacl::text FROM pg_default_acl
      ORDER BY 1, 2`)
  ).rows;

/** Everything that a restore brings back: not working tables, and not the ledger's times. */
const kept = (dumped: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(dumped).filter(
      ([name]) =>
        !/^staging\.|_prisma_migrations|key_minute|export_slot|removal_client|sign_in_client|preview_day|dashboard_note|filed_contact|service_process/.test(
          name,
        ),
    ),
  );

describe("a backup", () => {
  it("is a file that nobody else may read, and nothing else is left", async () => {
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await readdir(folder)).filter((name) => name.startsWith("backup"))).toEqual(["backup.zst"]);
  });

  it("holds the rows of every table that a crash keeps", async () => {
    const { header, end } = await verifyBackup(file);
    expect(header.program).toBe(VERSION);
    const counts = end.parts.map(({ table, rows }) => [table, rows]);
    const dumped = Object.entries(kept(dumpBefore)).flatMap(([name, held]) =>
      typeof held === "object" && held !== null ? [[name, (held as { rows: number }).rows]] : [],
    );
    expect(counts.toSorted()).toEqual(dumped.toSorted());
  });

  it("is recorded with its time, and is not the restore's", async () => {
    const { db } = await openTestContext(database.url, settableClock("2026-11-21T12:00:00Z"));
    expect((await lastBackupAt({ db }))?.getTime()).toBeGreaterThan(Date.now() - 600_000);
    await db.close();
  });

  it("says why it can't be written, and leaves nothing", async () => {
    const nowhere = path.join(folder, "nowhere", "backup.zst");
    expect(await tdf("backup", nowhere)).toMatchObject({
      status: 2,
      err: `The file ${nowhere} can't be written (ENOENT).\n`,
    });
    expect(await tdf("backup", folder)).toMatchObject({
      status: 2,
      err: `${folder} is a folder; name a file.\n`,
    });
    // It ended with a stack.
    expect(await tdf("backup", "")).toMatchObject({ status: 2, err: "The name of the file is empty.\n" });
  });

  // A link was replaced by the file, so the folder that it led to got no backup any more.
  it("is written where a link leads", async () => {
    const away = path.join(folder, "away");
    await mkdir(away);
    for (const before of ["a backup of yesterday", null]) {
      const link = path.join(folder, `link-${before === null}`);
      const target = path.join(away, `${before === null}.zst`);
      if (before !== null) await writeFile(target, before);
      await symlink(path.relative(folder, target), link);
      expect(await tdf("backup", link)).toMatchObject({ err: "", status: 0 });
      expect(await readlink(link)).toBe(path.relative(folder, target));
      expect((await verifyBackup(target)).header.program).toBe(VERSION);
    }
    expect(await readdir(away)).toEqual(["false.zst", "true.zst"]);
  });

  // The file took the place of the pipe. As root, it took that of /dev/null.
  it("does not replace a pipe or a device", async () => {
    const pipe = path.join(folder, "a-pipe");
    await promisify(execFile)("mkfifo", [pipe]);
    for (const words of [["backup"], ["removal", "export"]])
      expect(await tdf(...words, pipe)).toMatchObject({
        status: 2,
        err: `${pipe} is a device or a pipe; name a file.\n`,
      });
    expect((await stat(pipe)).isFIFO()).toBe(true);
  });
});

describe("a backup that is stopped", () => {
  // SIGHUP, as of a terminal that is closed, ended the process and left what was written so far.
  it.each([
    ["backup", "SIGINT"],
    ["backup", "SIGHUP"],
    ["removal export", "SIGTERM"],
    ["removal export", "SIGHUP"],
  ] as const)("leaves nothing, also by a signal: %s, %s", async (command, name) => {
    const target = path.join(folder, "stopped");
    await writeFile(target, "the one before");
    const parts = async () => (await readdir(folder)).filter((each) => each.startsWith("stopped."));
    const words = [...command.split(" "), target];
    const { ended } = await connected(async (client) => {
      await client.query("BEGIN; LOCK TABLE removal_decision");
      const env = { ...process.env, ...settings(), DATABASE_URL: database.url };
      const child = spawn(process.execPath, [MAIN, ...words], { env, stdio: ["ignore", "ignore", "pipe"] });
      const ended = Promise.all([once(child, "close"), text(child.stderr)]);
      await vi.waitFor(async () => expect(await parts()).toHaveLength(1), 20_000);
      child.kill(name);
      await vi.waitFor(async () => expect(await parts()).toEqual([]), 20_000);
      return { ended };
    });
    const what = command === "backup" ? "backup" : "export";
    expect(await ended).toEqual([[75, null], `The ${what} was stopped. No file was written.\n`]);
    expect(await readFile(target, "utf8")).toBe("the one before");
  });

  it("leaves no file, and the one before as it was", async () => {
    const before = await readFile(file);
    const context = await openTestContext(database.url, settableClock("2026-11-21T12:00:00Z"));
    const stopping = new AbortController();
    const onTable = (_: string, index: number) => {
      if (index === 5) stopping.abort();
    };
    await expect(makeBackup(context, { file, signal: stopping.signal, onTable })).rejects.toThrow(
      new OperatorError("The backup was stopped. No file was written.", { solution: "later" }),
    );
    await context.db.close();
    expect((await readdir(folder)).filter((name) => name.startsWith("backup"))).toEqual(["backup.zst"]);
    expect(await readFile(file)).toEqual(before);
  });
});

/** Damaged files are refused, what others hold is busy, and the rest is a wrong call. */
function statusFor(err: string): number {
  if (/can't be used/.test(err)) return 65;
  return /try again|wait until|is running/.test(err) ? 75 : 2;
}

describe("a restore refuses, and changes nothing:", () => {
  const other = () => path.join(folder, "other.zst");
  /** What no refusal changes; null when it has to be read anew. */
  let before: Record<string, unknown> | null = null;
  const refused = async (why: RegExp, ...words: string[]) => {
    before ??= await dumpOf(database.url);
    const { out, err, status } = await tdf("restore", ...words);
    expect({ out, status }).toEqual({ out: "", status: statusFor(err) });
    expect(err).toMatch(why);
    expect(err.trimEnd().split("\n")).toHaveLength(1);
    expect(await dumpOf(database.url)).toEqual(before);
  };

  it("a database with data", () => refused(/has data\. Add --replace/, file));

  it("a file that is cut", async () => {
    const bytes = await readFile(file);
    for (const length of [bytes.length - 1, bytes.length >> 1, 3, 0]) {
      await writeFile(other(), bytes.subarray(0, length));
      await expect(verifyBackup(other())).rejects.toThrow("its end is missing");
    }
    await refused(/can't be used: its end is missing\. Use another one/, other(), "--replace");
  });

  it("a file with bytes after its end", async () => {
    const bytes = await readFile(file);
    for (const after of [Buffer.alloc(1), Buffer.from("\r\n"), Buffer.alloc(70_000)]) {
      await writeFile(other(), Buffer.concat([bytes, after]));
      await expect(verifyBackup(other())).rejects.toThrow("something follows its end");
    }
    await refused(/can't be used: something follows its end/, other(), "--replace");
  });

  it("a file that is altered", async () => {
    const bytes = await readFile(file);
    bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1);
    await writeFile(other(), bytes);
    await refused(/can't be used: it was altered/, other(), "--replace");
  });

  it("a file in which the kind or the length of a part is altered", async () => {
    const plain = zstdDecompressSync(await readFile(file));
    const second = 5 + plain.readUInt32BE(1);
    for (const [at, by] of [
      [second, 0x40],
      [second + 1, 0x01],
      [second + 1, 0x40],
      [second + 4, 0x01],
    ] as const) {
      const bytes = Buffer.from(plain);
      bytes.writeUInt8(bytes.readUInt8(at) ^ by, at);
      await writeFile(other(), zstdCompressSync(bytes));
      await expect(verifyBackup(other())).rejects.toThrow("it was altered");
    }
  });

  it("a file in which one row is another", async () => {
    const plain = zstdDecompressSync(await readFile(file));
    const at = plain.indexOf("BROKER");
    expect(at).toBeGreaterThan(0);
    plain.write("BROKEN", at);
    await writeFile(other(), zstdCompressSync(plain));
    await refused(/can't be used: it was altered/, other(), "--replace");
  });

  it("another kind of file, or none", async () => {
    await writeFile(other(), "-- PostgreSQL database dump\n");
    await refused(/not a file that `tdf backup` wrote/, other(), "--replace");
    await refused(/can't be read \(ENOENT\)/, `${other()}.none`, "--replace");
  });

  // The file is read twice. The second time a pipe was empty, and a whole backup passed for a damaged one.
  it("a pipe, or a folder", async () => {
    const pipe = path.join(folder, "from-a-pipe");
    await promisify(execFile)("mkfifo", [pipe]);
    await refused(/^\S+ is a device or a pipe; name a file\.$/m, pipe, "--replace");
    await refused(/ is a folder; name a file\.$/m, folder, "--replace");
  });

  it("the backup of a newer program", async () => {
    await writeFile(other(), await withHeader((header) => header.replace(`"${VERSION}"`, '"99.0.0"')));
    await refused(/made by program 99\.0\.0, newer than this one/, other(), "--replace");
    const later = '"migrations":[{"name":"20991231000000_later","checksum":""},';
    await writeFile(other(), await withHeader((header) => header.replace('"migrations":[', later)));
    await refused(/it has the migration 20991231000000_later/, other(), "--replace");
  });

  it("another SECRETS_KEY", async () => {
    const env = { DATABASE_URL: database.url, SECRETS_KEY: Buffer.alloc(32, 1).toString("base64") };
    expect(await tdfOn(env, "restore", file, "--replace")).toMatchObject({
      status: 2,
      err: expect.stringMatching(/^SECRETS_KEY is not the key that the backup's secrets are sealed with/),
    });
  });

  it.each(["", "another name"])("while a service uses the database (%s)", async (name) => {
    const url = new URL(database.url);
    if (name !== "") url.searchParams.set("application_name", name);
    const service = await startTestService({ databaseUrl: url.href });
    await service.get("/v1/feeds", key);
    const { err, status } = await tdf("restore", file, "--replace").finally(service.stop);
    before = null;
    expect({ err, status }).toMatchObject({ status: 75, err: expect.stringMatching(/uses this database/) });
  });

  it("tables of another program", async () => {
    const foreign = await createTestDatabase({ isEmpty: true });
    const client = new pg.Client({ connectionString: foreign.url });
    await client.connect();
    await client.query("CREATE TABLE theirs AS SELECT 1 AS id");
    await client.end();
    const { err } = await tdfOn({ DATABASE_URL: foreign.url }, "restore", file, "--replace");
    await foreign.drop();
    expect(err).toMatch(/tables of another program/);
  });

  it("a session with an open transaction", async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query("BEGIN; LOCK TABLE event IN ACCESS SHARE MODE");
    await refused(/Another session has a transaction open/, file, "--replace").finally(() => client.end());
  });

  it.each([
    ["an import runs", 73_100_001, /An import is running/],
    ["another process migrates", 72_707_369, /Another process migrates or restores/],
  ])("while %s", async (_, lock, why) => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query("SELECT pg_advisory_lock($1)", [lock]);
    await refused(why, file, "--replace").finally(() => client.end());
  });

  /** The backup with another header, and sums that fit. */
  async function withHeader(edit: (header: string) => string): Promise<Buffer> {
    const plain = zstdDecompressSync(await readFile(file));
    const length = plain.readUInt32BE(1);
    const header = Buffer.from(edit(plain.subarray(5, 5 + length).toString()));
    const sum = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
    const head = Buffer.concat([plain.subarray(0, 1), Buffer.alloc(4)]);
    head.writeUInt32BE(header.length, 1);
    const rest = plain.subarray(5 + length).toString("latin1");
    const before = sum(plain.subarray(5, 5 + length));
    return zstdCompressSync(
      Buffer.concat([head, header, Buffer.from(rest.replace(before, sum(header)), "latin1")]),
    );
  }
});

describe("after damage and a removal", () => {
  let highestEvent: string;
  let rightsBefore: unknown[];

  afterAll(() => query(`DROP OWNED BY ${ROLE}; DROP ROLE ${ROLE}`));

  beforeAll(async () => {
    const service = await startTestService({ databaseUrl: database.url, env: ENV });
    await optOut(service.url, { usdot: removed });
    const { rows } = await service.context.db.pool.query<{ id: string }>(
      "SELECT nextval('event_id_seq')::text AS id",
    );
    highestEvent = rows[0]?.id ?? "";
    await service.stop();
    const { rows: even } = await query("SELECT usdot FROM census WHERE usdot % 2 = 0");
    await connected(async (client) => {
      await removeRows(client, "webhook_delivery");
      await removeRows(client, "api_key");
      await removeRows(client, "census", { usdot: even.map(({ usdot }) => usdot) });
      await changeRows(client, "usage_month", { api_rows: 0 });
      await changeRows(client, "installation", { record_id_key: "another" });
    });
    await query(`
      CREATE ROLE ${ROLE};
      GRANT USAGE ON SCHEMA published TO ${ROLE};
      GRANT SELECT ON ALL TABLES IN SCHEMA published, public TO ${ROLE};
      GRANT UPDATE (name) ON account TO ${ROLE};
      GRANT INSERT ON account TO ${ROLE} WITH GRANT OPTION;
      GRANT USAGE ON SEQUENCE event_id_seq TO ${ROLE};
      -- More than the role has on the tables there are, as with _prisma_migrations after --grant.
      ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE ON TABLES TO ${ROLE};
      REVOKE ALL ON TABLE plan FROM ${ROLE};
      ALTER DEFAULT PRIVILEGES IN SCHEMA published GRANT SELECT ON TABLES TO ${ROLE}`);
    rightsBefore = await rights();
    expect(rightsBefore.length).toBeGreaterThan(10);
    const versions = Object.keys(dumpBefore).filter((name) => name.startsWith("published."));
    await query(`DROP TABLE ${versions.at(-1)}`);
  });

  it("a restore brings everything back but the removed business", async () => {
    const { out, err, status } = await tdf("restore", file, "--replace", "--json");
    expect({ err, status }).toEqual({ err: "", status: 0 });
    expect(JSON.parse(out)).toMatchObject({
      program: VERSION,
      migrations: [],
      removals: { requests: 2, unknown: 1, businesses: 1 },
    });
    const changed = Object.entries(kept(await dumpOf(database.url)))
      .filter(([name, held]) => JSON.stringify(held) !== JSON.stringify(dumpBefore[name]))
      .map(([name]) => name.replace("public.", ""));
    expect(await rules()).toEqual(rulesBefore);
    expect(
      changed.filter((name) => !/^(removal_|suppress|blanked_|webhook_change$|admission_state$)/.test(name)),
    ).toEqual(["event_id_seq"]);
  });

  it("other roles have the rights that they had, also on a table that was lost", async () => {
    expect(await rights()).toEqual(rightsBefore);
  });

  it("feeds are exported as before, without that business's rows", async () => {
    const service = await startTestService({ databaseUrl: database.url });
    const exported = await exportsOf(service);
    const events = await eventsOf(service);
    const carrier = await service.get(`/v1/carriers/${removed}`, key);
    await service.stop();
    for (const [feed, csv] of exportsBefore) {
      const usdots = ["", ...usdotsIn(csv)];
      const expected = rowsOf(csv).filter((_, index) => usdots[index] !== removed);
      expect(rowsOf(exported.get(feed))).toEqual(expected);
    }
    expect(carrier.status).toBe(404);
    expect(events).toEqual([String(OTHER)]);
  });

  it("sequences go on behind the numbers that the replaced database gave", async () => {
    const { rows } = await query("SELECT nextval('event_id_seq')::text AS id");
    expect(BigInt(rows[0].id)).toBe(BigInt(highestEvent) + 1n);
  });

  it("a list that can't be read is refused, unless a newer export is given", async () => {
    const removals = path.join(folder, "removals.jsonl");
    expect(await tdf("removal", "export", removals)).toMatchObject({ status: 0 });
    await query(`
      DROP TABLE removal_match CASCADE;
      -- As after an upgrade: the older program takes the database back to what it was before.
      INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('x', '', '2099_later', now())`);
    expect(await tdf("restore", file, "--replace")).toMatchObject({
      status: 2,
      err: expect.stringMatching(/removal list of this database can't be read/),
    });
    const { out, err } = await tdf("restore", file, "--replace", "--json", "--removals", removals);
    expect({ err, removals: JSON.parse(out).removals }).toEqual({
      err: "",
      removals: { requests: 2, unknown: 1, businesses: 1 },
    });
  });

  // The number of the list's last change was read apart from the list, and its absence ended every restore.
  it.each([["--lose-removals"], ["--removals", "the export"]])(
    "a list without its number is refused, but not with %s",
    async (option, ...values) => {
      const removals = path.join(folder, "removals.jsonl");
      await connected((client) => removeRows(client, "suppression_state"));
      expect(await tdf("restore", file, "--replace")).toMatchObject({
        status: 2,
        err: expect.stringMatching(/removal list of this database can't be read/),
      });
      const { out, err } = await tdf(
        ...["restore", file, "--replace", "--json", option, ...values.map(() => removals)],
      );
      expect({ err, removals: JSON.parse(out).removals }).toEqual({
        err: "",
        removals: expect.objectContaining({ businesses: 1 }),
      });
    },
  );
});

describe("a copy of a feed from a time that was taken back", () => {
  const get = ({ url }: TestService, path: string) =>
    fetch(`${url}/v1/feeds/us_brokers/${path}`, { headers: { "X-API-Key": key } });
  async function poll(service: TestService, removals: number | null): Promise<Response> {
    const { data } = (await (await get(service, "versions")).json()) as { data: { version: number }[] };
    const sent = removals === null ? "" : `&since_removals=${removals}`;
    return get(service, `changes?since_version=${data[0]?.version}${sent}&limit=1000`);
  }
  const expectLost = async (service: TestService, removals: number): Promise<void> => {
    const answer = await poll(service, removals);
    expect([answer.status, await answer.json()]).toEqual([
      410,
      expect.objectContaining({ code: "version_expired" }),
    ]);
  };
  /** What a copy of the newest version is told, and its number of removals then. */
  async function polled(service: TestService, removals: number | null) {
    const asked = await poll(service, removals);
    expect(asked.status).toBe(200);
    const answer = (await asked.json()) as Changes;
    return {
      told: answer.data.map(({ op, record_id }) => `${op} ${record_id}`),
      removals: answer.meta.checkpoint?.removals ?? Number.NaN,
    };
  }
  /** Other businesses of the feed than the one that is removed already, with the ids of their records. */
  const others = (): { usdot: string; record: string }[] => {
    const csv = exportsBefore.get("us_brokers");
    const records = csv?.match(/(?<=[,\n])[a-p]{16}(?=[,\r])/g) ?? [];
    return usdotsIn(csv)
      .map((usdot, index) => ({ usdot, record: records[index] ?? "" }))
      .filter(({ usdot }) => usdot !== removed);
  };
  const request = async (service: TestService, at: number) =>
    optOut(service.url, { usdot: others()[at]?.usdot ?? "" });

  beforeAll(async () => {
    expect(await tdf("restore", file, "--replace")).toMatchObject({ err: "", status: 0 });
  });

  // The numbers of removals were given again, so that this copy passed for one that knew of the removals. What was removed
  // and shown again in the lost time is known to nobody: the copy lacks it.
  it("is to be read anew after a restore", async () => {
    const lost = await onService(async (service) => {
      await undoRemovals(service.context, [await request(service, 0)], "a mistake");
      return (await polled(service, null)).removals;
    });
    expect(await tdf("restore", file, "--replace")).toMatchObject({ err: "", status: 0 });
    await onService(async (service) => {
      for (const at of [1, 2]) await request(service, at);
      await expectLost(service, lost);
      const { told, removals } = await polled(service, null);
      expect(told).toEqual(expect.arrayContaining([1, 2].map((at) => `removed ${others()[at]?.record}`)));
      expect(await polled(service, removals)).toEqual({ told: [], removals });
    });
  });

  it("is to be read anew after a recovery, unless it is from before the lost time", async () => {
    const known = await onService(async (service) => {
      await request(service, 3);
      await undoRemovals(service.context, [await request(service, 4)], "a mistake");
      return (await polled(service, null)).removals;
    });
    expect(await tdf("recovered")).toMatchObject({ err: "", status: 0 });
    await onService(async (service) => {
      // The keeper was told in the lost time that the one is shown again, and the other removed.
      await expectLost(service, known + 2);
      expect((await polled(service, known)).told).toEqual([]);
      await request(service, 5);
      const { removals } = await polled(service, known);
      expect(removals).toBeGreaterThan(known + 1_000_000);
      await expectLost(service, known + 2);
    });
    // Another recovery forgets none of the numbers that the first one took back.
    expect(await tdf("recovered")).toMatchObject({ err: "", status: 0 });
    await onService(async (service) => {
      for (const lost of [1, 1_000_000]) await expectLost(service, known + lost);
      expect((await poll(service, known + 1_000_001)).status).toBe(200);
    });
  });
});

// It ended with a stack.
it("numbers are not skipped in a database without the program's tables", async () => {
  const empty = await createTestDatabase({ isEmpty: true });
  expect(await tdfOn({ DATABASE_URL: empty.url }, "recovered")).toEqual({
    status: 2,
    out: "",
    err: "This database has no tables of this program. Name the recovered database in DATABASE_URL. Nothing was changed.\n",
  });
  await empty.drop();
});

it("the address and the remarks of a request that waits come over from the replaced database", async () => {
  const requester = { requester_email: "owner@example.com", details: "We closed." };
  await onService(({ url }) => optOut(url, { usdot: removed, ...requester }));
  expect(await tdf("restore", file, "--replace")).toMatchObject({ err: "", status: 0 });
  const { rows } = await query("SELECT email AS requester_email, details FROM removal_requester");
  expect(rows).toEqual([requester]);
});

it("a backup of an older program gets the migrations that came since", async () => {
  const older = await createTestDatabase({ isEmpty: true });
  const newer = await createTestDatabase();
  const migrations = path.join(folder, "migrations");
  await cp("prisma/migrations", migrations, { recursive: true });
  // The first of the missing migrations fills feed_size from the versions that there are.
  const missing = (await readdir(migrations)).filter((name) => /^\d/.test(name) && name >= FEED_SIZES).sort();
  for (const name of missing) await rm(path.join(migrations, name), { recursive: true });
  await migrate(older.url, { folder: migrations, log: createLog("silent") });
  const context = await openTestContext(older.url, settableClock("2026-11-21T12:00:00Z"));
  const feed = { feed_code: "us_brokers" };
  const published = {
    ...feed,
    as_of: "2026-11-20",
    row_count: 7,
    fingerprint: "old",
    published_at: new Date(),
  };
  const [version] = await putRows(context.db.pool, "feed_version", published);
  await putRows(context.db.pool, "feed_current", { ...feed, version_id: version?.id });
  const signal = new AbortController().signal;
  const { newest_migration } = await makeBackup(context, { file: `${file}.old`, signal, onTable: () => {} });
  expect(newest_migration < FEED_SIZES).toBe(true);
  await context.db.close();
  const { out, err } = await tdfOn({ DATABASE_URL: newer.url }, "restore", `${file}.old`, "--json");
  expect({ err, migrations: JSON.parse(out).migrations }).toEqual({ err: "", migrations: missing });
  const { "public.feed_size": sizes } = await dumpOf(newer.url);
  expect(sizes).toMatchObject({ rows: 1 });
  await Promise.all([older.drop(), newer.drop()]);
});

// It migrated first, so the old program could not restore the backup that was made before its upgrade.
it("a new program neither backs up nor migrates the database of an old one", async () => {
  const older = await createTestDatabase({ isEmpty: true });
  const migrations = path.join(folder, "migrations-before-upgrade");
  await cp("prisma/migrations", migrations, { recursive: true });
  for (const name of (await readdir(migrations)).filter((name) => /^\d/.test(name) && name >= CHANGE_IDS))
    await rm(path.join(migrations, name), { recursive: true });
  await migrate(older.url, { folder: migrations, log: createLog("silent") });
  const refused = await tdfOn({ DATABASE_URL: older.url }, "backup", `${file}.before-upgrade`);
  expect(refused).toMatchObject({
    status: 2,
    out: "",
    err: expect.stringContaining(`the migration ${CHANGE_IDS} is due. Run this command with the program`),
  });
  await expect(stat(`${file}.before-upgrade`)).rejects.toThrow("ENOENT");
  expect(await migrate(older.url, { folder: migrations, log: createLog("silent") })).toEqual([]);
  expect(await tdfOn({ DATABASE_URL: older.url }, "migrate")).toMatchObject({ status: 0 });
  const { status } = await tdfOn({ DATABASE_URL: older.url }, "backup", `${file}.before-upgrade`);
  expect(status).toBe(0);
  await older.drop();
});

it("a sequence that the backup's program lacked goes on behind that of the replaced database", async () => {
  const [older, replaced] = await Promise.all([createTestDatabase({ isEmpty: true }), createTestDatabase()]);
  const migrations = path.join(folder, "migrations-before-ids");
  await cp("prisma/migrations", migrations, { recursive: true });
  for (const name of (await readdir(migrations)).filter((name) => /^\d/.test(name) && name >= CHANGE_IDS))
    await rm(path.join(migrations, name), { recursive: true });
  await migrate(older.url, { folder: migrations, log: createLog("silent") });
  const context = await openTestContext(older.url, settableClock("2026-11-21T12:00:00Z"));
  const signal = new AbortController().signal;
  await makeBackup(context, { file: `${file}.before-ids`, signal, onTable: () => {} });
  await context.db.close();
  const now = await openTestContext(replaced.url, settableClock("2026-11-21T12:00:00Z"));
  await now.db.pool.query("SELECT setval('carrier_change_id_seq', 500)");
  await now.db.close();
  const restored = await tdfOn({ DATABASE_URL: replaced.url }, "restore", `${file}.before-ids`, "--replace");
  expect(restored).toMatchObject({ err: "", status: 0 });
  expect(await dumpOf(replaced.url)).toMatchObject({ "public.carrier_change_id_seq": 500 });
  await Promise.all([older.drop(), replaced.drop()]);
});

it("a file that is cut while its rows are loaded ends the transaction", async () => {
  const target = await createTestDatabase();
  const context = await openTestContext(target.url, settableClock("2026-11-21T12:00:00Z"));
  const before = await dump(context.db);
  const { end } = await verifyBackup(file);
  const bytes = await readFile(file);
  await writeFile(`${file}.cut`, bytes.subarray(0, bytes.length >> 1));
  const load = context.db.bulkTransaction((client) =>
    loadTables(client, { file: `${file}.cut`, verified: end, onTable: () => {} }),
  );
  await expect(load).rejects.toThrow("its end is missing");
  expect(await dump(context.db)).toEqual(before);
  await context.db.close();
  await target.drop();
});

it("a table that is partitioned by month comes back with its months, and with rows of others", async () => {
  const [source, target] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  const [from, into] = await Promise.all(
    [source, target].map(({ url }) => openTestContext(url, settableClock("2026-11-21T12:00:00Z"))),
  );
  if (!from || !into) throw new Error("two contexts were asked for");
  const make = (now: string) => `
    CREATE TABLE reading (id bigserial, taken_at timestamptz NOT NULL, account_id int NOT NULL REFERENCES account (id),
      PRIMARY KEY (id, taken_at)) PARTITION BY RANGE (taken_at);
    CREATE INDEX reading_account_id_idx ON reading (account_id);
    SELECT make_partitions('reading', '${now}')`;
  const { accountId } = await openAccount(from);
  await from.db.pool.query(`${make("2026-09-10")};
    INSERT INTO reading (taken_at, account_id) SELECT '2026-08-15'::timestamptz + n * interval '1 month', ${accountId}
    FROM generate_series(1, 5) AS n`);
  // The month of the last rows exists where they are restored, but not where they come from.
  await into.db.pool.query(make("2026-11-10"));
  const signal = new AbortController().signal;
  await makeBackup(from, { file: `${file}.months`, signal, onTable: () => {} });
  const verified = (await verifyBackup(`${file}.months`)).end;
  await into.db.bulkTransaction((client) =>
    loadTables(client, { file: `${file}.months`, verified, onTable: () => {} }),
  );
  const count =
    "SELECT tableoid::regclass::text AS part, count(*)::int AS rows FROM reading GROUP BY 1 ORDER BY 1";
  const [before, after] = await Promise.all([from, into].map(({ db }) => db.pool.query(count)));
  const months = ["2026_09", "2026_10", "2026_11"].map((month) => ({
    part: `partitions.reading_${month}`,
    rows: 1,
  }));
  expect(before?.rows).toEqual([...months, { part: "partitions.reading_default", rows: 2 }]);
  const moved = ["2026_12", "2027_01"].map((month) => ({ part: `partitions.reading_${month}`, rows: 1 }));
  expect(after?.rows).toEqual([...months, ...moved]);
  const indexes = "SELECT count(*)::int AS count FROM pg_indexes WHERE indexdef LIKE '%reading%(account_id)'";
  // of the table, five months and the default.
  expect((await into.db.pool.query(indexes)).rows).toEqual([{ count: 7 }]);
  const orphan = into.db.pool.query("INSERT INTO reading (taken_at, account_id) VALUES ('2026-09-02', 77)");
  await expect(orphan).rejects.toThrow("reading_account_id_fkey");
  await Promise.all([from.db.close(), into.db.close()]);
  await Promise.all([source.drop(), target.drop()]);
});

it("a backup of a named database is restored into the program's own, and back", async () => {
  const env = { ...settings(), DATABASE_URL: "", DATA_DIR: path.join(folder, "embedded") };
  const copy = path.join(folder, "copy.zst");
  expect(await spawnTdf(env, "restore", file)).toMatchObject({ err: "", status: 0 });
  expect(await spawnTdf(env, "backup", copy)).toMatchObject({ err: "", status: 0 });
  const [first, second] = [await verifyBackup(file), await verifyBackup(copy)];
  expect(second.end.parts).toEqual(first.end.parts);
  expect(second.header.sequences).toEqual(first.header.sequences);
});
