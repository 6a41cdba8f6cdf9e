// Makes the fixtures of test/stories/upgrade.test.ts: databases as older commits of the program left them after two
// imports, and the files of the third day. Run it in a clone with its history: node scripts/old-databases.ts
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import pg from "pg";
import { startEmbeddedPostgres } from "../src/platform/embedded/start.ts";
import { createLog } from "../src/platform/log.ts";

const ROOT = path.join(import.meta.dirname, "..");
const FIXTURES = path.join(ROOT, "test/fixtures/old-databases");
/** Enough companies that a guard could take a change of rules for one of the registry. */
const CARRIERS = "800";
/** The files are those of the oldest commit. */
const COMMITS = ["9b28b09", "607be8a"];

const folder = mkdtempSync(path.join(tmpdir(), "tdf-old-"));
const days = path.join(folder, "days");
mkdirSync(FIXTURES, { recursive: true });
for (const commit of COMMITS) {
  const old = path.join(folder, commit);
  mkdirSync(old);
  execFileSync("tar", ["x", "-C", old], {
    input: execFileSync("git", ["archive", commit], { cwd: ROOT, maxBuffer: 2 ** 30 }),
  });
  symlinkSync(path.join(ROOT, "node_modules"), path.join(old, "node_modules"));
  const dataDir = path.join(old, "data");
  const run = (...words: string[]) =>
    execFileSync(process.execPath, words, {
      cwd: old,
      env: { ...process.env, DATA_DIR: dataDir },
      stdio: "ignore",
    });
  run("scripts/generate.ts");
  if (commit === COMMITS[0])
    run(
      "src/cli/main.ts",
      "registry",
      "generate",
      "--out",
      days,
      "--carriers",
      CARRIERS,
      "--days",
      "3",
      "--as-of",
      "2026-11-23",
    );
  for (const day of ["day-00", "day-01"]) run("src/cli/main.ts", "import", "--dir", path.join(days, day));
  write(`${commit}.json.br`, await dumped(dataDir));
}
const lastDay = path.join(days, "day-02");
write(
  "day-02.json.br",
  JSON.stringify(
    Object.fromEntries(
      readdirSync(lastDay).map((file) => [file, readFileSync(path.join(lastDay, file), "utf8")]),
    ),
  ),
);
rmSync(folder, { recursive: true });

function write(name: string, text: string): void {
  const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: text.length };
  writeFileSync(path.join(FIXTURES, name), brotliCompressSync(text, { params }));
}

/** The last migration, the tables of versions and the rows of a database, as JSON. */
async function dumped(dataDir: string): Promise<string> {
  const server = await startEmbeddedPostgres({ dataDir, log: createLog("warn") });
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  const textOf = async (select: string) => (await client.query<{ text: string | null }>(select)).rows;
  try {
    const [migration] = await textOf("SELECT max(migration_name) AS text FROM _prisma_migrations");
    const versions = await textOf(
      `SELECT format('CREATE TABLE published.%I (%s)', relname, (
         SELECT string_agg(format('%I %s', attname, format_type(atttypid, atttypmod)), ', ' ORDER BY attnum)
         FROM pg_attribute WHERE attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped)) AS text
       FROM pg_class WHERE relnamespace = 'published'::regnamespace AND relkind = 'r' ORDER BY oid`,
    );
    const names = await textOf(
      `SELECT oid::regclass::text AS text FROM pg_class
       WHERE relnamespace IN ('public'::regnamespace, 'published'::regnamespace) AND relkind IN ('r', 'p')
         AND NOT relispartition AND relname <> '_prisma_migrations' ORDER BY oid`,
    );
    const rows: Record<string, string> = {};
    for (const { text: name } of names) {
      const [found] = await textOf(`SELECT json_agg(t)::text AS text FROM ${name} AS t`);
      if (name !== null && found?.text) rows[name] = found.text;
    }
    const [sequences] = await textOf(
      `SELECT coalesce(json_object_agg(schemaname || '.' || sequencename, last_value), '{}')::text AS text
       FROM pg_sequences WHERE last_value IS NOT NULL`,
    );
    return JSON.stringify({
      migration: migration?.text,
      versions: versions.map(({ text }) => text),
      rows,
      sequences: JSON.parse(sequences?.text ?? "{}"),
    });
  } finally {
    await client.end();
    await server.stop();
  }
}
