import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { verifyBackup } from "../../../../src/backup/read-backup.ts";
import { VERSION } from "../../../../src/platform/version.ts";
import { createTestDatabase } from "../../../support/database.ts";
import { startTestService } from "../../../support/service.ts";
import { database, dumpOf, file, folder, key, tdf, tdfOn, useBackup } from "./backed-up.ts";

useBackup();

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
