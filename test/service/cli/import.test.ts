import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { settableClock } from "../../support/clock.ts";
import { openTestContext } from "../../support/context.ts";
import { dump } from "../../support/database/dump.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { wayWithoutAnswer } from "../../support/network/tcp-proxy.ts";
import { type Printed, runTdf } from "../../support/processes/command.ts";
import { type RegistryFolders, registryFolders } from "../../support/registry/registry-folders.ts";
import { changeRows, putRows, removeRows } from "../../support/rows.ts";

let folders: RegistryFolders;
let database: TestDatabase;
let context: Awaited<ReturnType<typeof openTestContext>>;

const tdf = (...words: string[]): Promise<Printed> => runTdf({ DATABASE_URL: database.url }, ...words);
const served = async () =>
  (await context.db.pool.query("SELECT feed_code, version_id FROM feed_current ORDER BY feed_code")).rows;

beforeAll(async () => {
  folders = await registryFolders({ carriers: 600, seed: 5, firstDay: "2026-11-17", days: 3 });
  database = await createTestDatabase();
  context = await openTestContext(database.url, settableClock("2026-11-19T18:00:00Z"));
});
afterAll(async () => {
  await context.db.close();
  await database.drop();
  await folders.close();
});

describe("an operator", () => {
  it("refuses a missing folder and an unknown import with one sentence", async () => {
    expect(await tdf("import")).toMatchObject({
      status: 2,
      err: "Name the folder with the files: --dir FOLDER.\n",
    });
    expect(await tdf("import", "--dir", "")).toMatchObject({
      status: 2,
      err: "--dir is empty: name a folder.\n",
    });
    const none = path.join(folders.day(0), "none");
    expect(await tdf("import", "--dir", none)).toMatchObject({
      status: 2,
      err: `There is no folder ${none}; name the one that holds the registry files.\n`,
    });
    // None of these calls began an import.
    expect((await tdf("import", "list")).out).toBe(
      "No import yet. Import a folder of registry files: `tdf import --dir FOLDER`.\n",
    );
    expect(await tdf("import", "show", "7")).toMatchObject({
      status: 2,
      err: "There is no import 7; `tdf import list` shows all imports.\n",
    });
    expect((await tdf("feed", "rollback", "us_brokers")).err).toBe(
      "us_brokers is not live: there is no version to go back from.\n",
    );
    expect((await tdf("feed", "rollback", "us_trucks")).err).toMatch(
      /^There is no feed us_trucks; the feeds are us_new/,
    );
  });

  it("previews an import, runs it, and shows its report later", async () => {
    await tdf("import", "--dir", folders.day(0));
    const before = await dump(context.db);
    const preview = await tdf("import", "--dir", folders.day(1), "--preview");
    expect(preview.out).toMatch(/^Preview: registry as of 2026-11-18, .* Nothing was changed/);
    expect(preview.out).toMatch(/us_small_carriers_active: \d+ added, \d+ removed, \d+ changed/);
    expect(await dump(context.db)).toEqual(before);
    const { out } = await tdf("import", "--dir", folders.day(1));
    const changes = (text: string) => text.slice(text.indexOf("us_new_authority_weekly: "));
    expect(changes(out)).toBe(changes(preview.out));
    const list = await tdf("import", "list");
    expect(list.out.split("\n").filter((line) => line.includes("published"))).toHaveLength(2);
    const show = await tdf("import", "show", "2");
    expect(show.out).toContain(changes(out).trimEnd());
    expect(show.out).toMatch(/motus_carrier\.csv +[0-9a-f]{64}/);
    const [run] = JSON.parse((await tdf("import", "list", "--json")).out) as { id: number; status: string }[];
    expect(run).toMatchObject({ id: 2, status: "published", as_of: "2026-11-18" });
  });

  // Today's files were said to be older than yesterday's, with a newest row that they don't have.
  it("refuses a day of --as-of before what was imported as such", async () => {
    const { err, status } = await tdf("import", "--dir", folders.day(1), "--as-of", "2026-11-16");
    expect(err).toMatch(/^--as-of names 2026-11-16, but rows up to 2026-11-18 .*older-than-before\.$/m);
    expect(status).toBe(65);
  });

  it("shows no removed business among the examples of an import", async () => {
    const { report } = JSON.parse((await tdf("import", "show", "2", "--json")).out);
    const feed = report.feeds.find(({ feed }: { feed: string }) => feed === "us_small_carriers_active");
    const [{ usdot }] = feed.changes.added.examples;
    await putRows(context.db.pool, "suppressed_business", {
      usdot,
      request_id: 1,
      suppressed_at: new Date(),
    });
    expect((await tdf("import", "show", "2")).out).not.toContain(String(usdot));
    expect((await tdf("status", "--json")).out).not.toContain(String(usdot));
    await removeRows(context.db.pool, "suppressed_business");
  });

  it("makes readers read the previous version, until an import releases it", async () => {
    const sizes = async () =>
      (
        await context.db.pool.query(
          `SELECT feed_size.as_of, feed_size.row_count, version.row_count AS served
           FROM feed_size
           LEFT JOIN (feed_current JOIN feed_version AS version ON version.id = version_id)
             ON feed_current.feed_code = feed_size.feed_code AND version.as_of = feed_size.as_of
           WHERE feed_size.feed_code = 'us_brokers' ORDER BY 1`,
        )
      ).rows;
    const [brokers, ...others] = await served();
    const [first, second] = await sizes();
    expect(first).toEqual({ as_of: "2026-11-17", row_count: expect.any(Number), served: null });
    expect(second).toEqual({ as_of: "2026-11-18", row_count: second.served, served: expect.any(Number) });
    const { out } = await tdf("feed", "rollback", "us_brokers");
    expect(out).toMatch(
      /^us_brokers serves version \d+ again \(as of 2026-11-17, \d+ rows\) in place of \d+/,
    );
    const [back, ...unmoved] = await served();
    expect(back.version_id).toBeLessThan(brokers.version_id);
    expect(unmoved).toEqual(others);
    expect((await tdf("status")).out).toMatch(/us_brokers .*ROLLED BACK/);
    expect(await sizes()).toEqual([{ ...first, served: first.row_count }]);
    expect((await tdf("feed", "rollback", "us_brokers")).err).toMatch(
      /^No version of us_brokers before \d+ is kept/,
    );
    // The same files again do not undo it.
    const held = await tdf("import", "--dir", folders.day(1));
    expect(held).toMatchObject({
      status: 65,
      err: expect.stringMatching(
        /^refused; .*…\nus_brokers was rolled back, so nothing is imported\. Look at .* --preview; .* add --release\.\n$/,
      ),
    });
    expect((await tdf("import", "--dir", folders.day(1), "--preview")).status).toBe(0);
    expect((await served())[0]).toEqual(back);
    // Then an older version is served, so a new one is published.
    await tdf("import", "--dir", folders.day(1), "--release");
    const [forward] = await served();
    expect(forward.version_id).toBeGreaterThan(brokers.version_id);
    expect((await tdf("status")).out).not.toContain("ROLLED BACK");
    expect(await sizes()).toEqual([first, second]);
    const unchanged = await tdf("import", "--dir", folders.day(1));
    expect(unchanged.out).toMatch(/us_brokers .* unchanged.*Revocations pending: \d.*Events: none/s);
  });

  it("shows unknown values in the status and the report", async () => {
    const odd = (text: string) => {
      let count = 0;
      return text.replace(/Involuntary Suspension Notice(?! )/g, (words) =>
        ++count <= 2 ? "Provisional Suspension Notice" : words,
      );
    };
    const dir = await folders.changed(2, "motus_revokesuspend.csv", odd);
    const { out } = await tdf("import", "--dir", dir, "--accept", "lost-rows:motus_revokesuspend");
    const value = "Operating Authority Provisional Suspension Notice";
    expect(out).toContain(`ORDER1_TYPE_DESC "${value}" is unknown, in 2 rows`);
    expect((await tdf("status", "--all")).out).toMatch(
      new RegExp(`motus_revokesuspend +ORDER1_TYPE_DESC +${value} +2`),
    );
  });

  it("shows an unknown value that is a word of JavaScript", async () => {
    const dir = await folders.changed(2, "motus_authhist.csv", (text) =>
      text.replace(/,[^,]*(,\d{8}\n)$/, ",constructor$1"),
    );
    const accept = ["lost-rows:motus_authhist", "lost-rows:motus_revokesuspend"];
    expect((await tdf("import", "--dir", dir, "--accept", ...accept)).err).toMatch(/…\n$/);
    expect((await tdf("status", "--all")).out).toMatch(/motus_authhist +REASON +constructor +1/);
  });
});

it("shows an import that was killed as failed", async () => {
  const [run] = await putRows(context.db.pool, "import_run", {
    status: "running",
    folder: "/registry",
    started_at: new Date(),
  });
  const id = run?.id;
  const why = "The import was ended before it was done.";
  expect((await tdf("import", "show", String(id))).out).toMatch(
    new RegExp(`failed, started .*Why: ${why}`, "s"),
  );
  await changeRows(context.db.pool, "import_run", { status: "running", refusal: null }, { id });
  expect((await tdf("import", "list")).out).toMatch(new RegExp(` ${id} .* failed .* ${why}`));
});

// A folder with a file that not even root may read.
it.skipIf(process.platform !== "linux")(
  "refuses a file that it may not read, and keeps the reason",
  async () => {
    const why = "compact_memory can't be read (EACCES); see that it is there, that this user may read it";
    const refused = await tdf("import", "--dir", "/proc/sys/vm");
    expect(refused).toMatchObject({ status: 65, err: expect.stringContaining(why) });
    const [, newest] = (await tdf("import", "list")).out.split("\n");
    expect(newest).toMatch(/ refused /);
    expect(newest).toContain(why);
  },
);

describe("when PostgreSQL goes away under an import", () => {
  it("is one line and exit status 75, and the next import does the work", async () => {
    const other = await createTestDatabase();
    const killer = await openTestContext(other.url, settableClock("2026-11-19T18:00:00Z"));
    const importing = runTdf({ DATABASE_URL: other.url }, "import", "--dir", folders.day(0));
    let cut = 0;
    while (cut === 0) {
      const { rowCount } = await killer.db.pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()
           AND EXISTS (SELECT FROM import_run WHERE status = 'running') AND query LIKE 'COPY%'`,
      );
      cut = rowCount ?? 0;
    }
    const { err, out, status } = await importing;
    expect({ out, status }).toEqual({ out: "", status: 75 });
    const complaints = err.split("\n").filter((line) => line !== "" && !line.endsWith("…"));
    expect(complaints).toEqual([
      expect.stringMatching(/^The database is not available: .*Start the database/),
    ]);
    expect(await runTdf({ DATABASE_URL: other.url }, "import", "--dir", folders.day(0))).toMatchObject({
      status: 0,
    });
    await killer.db.close();
    await other.drop();
  });

  // Its publication was done: "failed" would tell the operator that nothing was changed.
  it("counts as published when only the answer to its commit was lost", async () => {
    const other = await createTestDatabase();
    const way = await wayWithoutAnswer(other.url, "pg_my_temp_schema()");
    expect(await runTdf({ DATABASE_URL: way.url }, "import", "--dir", folders.day(0))).toMatchObject({
      status: 75,
    });
    await way.close();
    const { out } = await runTdf({ DATABASE_URL: other.url }, "import", "show", "1");
    expect(out).toMatch(/^Import 1: published, started .*, finished /);
    expect(out).not.toContain("Why:");
    await other.drop();
  });

  it("says 75 of a second import at the same time", async () => {
    const holder = await context.db.bulkPool.connect();
    await holder.query("SELECT pg_advisory_lock(73100001)");
    const { err, status } = await tdf("import", "--dir", folders.day(0));
    await holder.query("SELECT pg_advisory_unlock(73100001)");
    holder.release();
    expect({ err, status }).toEqual({
      err: "Another import is running; wait until it is done.\n",
      status: 75,
    });
  });
});
