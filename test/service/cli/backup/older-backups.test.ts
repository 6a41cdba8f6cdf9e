import { cp, readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { makeBackup } from "../../../../src/backup/backup.ts";
import { loadTables } from "../../../../src/backup/load.ts";
import { verifyBackup } from "../../../../src/backup/read-backup.ts";
import { migrate } from "../../../../src/platform/database/migrate.ts";
import { createLog } from "../../../../src/platform/log.ts";
import { openAccount } from "../../../support/accounts.ts";
import { settableClock } from "../../../support/clock.ts";
import { openTestContext } from "../../../support/context.ts";
import { createTestDatabase } from "../../../support/database.ts";
import { putRows } from "../../../support/rows.ts";
import { dumpOf, file, folder, tdfOn, useFolder } from "./backed-up.ts";

useFolder();

const FEED_SIZES = "20261126100001_feed_sizes";
/** It makes a sequence. */
const CHANGE_IDS = "20261221000000_change_numbers";

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
