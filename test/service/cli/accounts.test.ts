import { cp, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MIGRATIONS, migrate } from "../../../src/platform/database/migrate.ts";
import { createLog } from "../../../src/platform/log.ts";
import { VERSION } from "../../../src/platform/version.ts";
import { createTestDatabase, databaseName, onServer } from "../../support/database.ts";
import { type Printed, runTdf } from "../../support/processes/command.ts";
import { putRows } from "../../support/rows.ts";
import { TEST_SECRETS_KEY } from "../../support/secrets.ts";

const SHIPPED_PLANS = fileURLToPath(new URL("../../../src/accounts/plans/plans.yaml", import.meta.url));

const TABLES = "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY relname";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let folder: string;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(path.join(tmpdir(), "tdf-cli-"));
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

/** The output of a command on each stream, and its exit status. */
const tdf = (...words: string[]): Promise<Printed> =>
  runTdf({ DATABASE_URL: database.url, DATA_DIR: folder, SECRETS_KEY: TEST_SECRETS_KEY }, ...words);

async function json(...words: string[]) {
  const { out, err, status } = await tdf(...words, "--json");
  expect({ err, status }).toEqual({ err: "", status: 0 });
  return JSON.parse(out);
}

const newAccount = ["account", "create", "--name", "Ada Freight", "--email", "ada@freight.example", "--plan"];

const ONE_PLAN = `
plans:
  trial:
    name: Trial
    api_access: true
    requests_per_minute: 10
    rows_per_month: 100
    feeds:
      us_brokers: all
`;

describe("from the command line", () => {
  it("a plan file with one plan keeps the others, except with --remove", async () => {
    const file = path.join(folder, "trial.yaml");
    await writeFile(file, ONE_PLAN);
    await tdf("plan", "apply", SHIPPED_PLANS);
    expect((await tdf("plan", "apply", file)).out).toBe(
      "Applied: trial.\nNot in the file, unchanged: files, growth, national, starter. " +
        "No account has them; --remove removes them.\n",
    );
    expect(await json("plan", "list")).toHaveLength(5);
    expect((await tdf("plan", "apply", SHIPPED_PLANS, "--remove")).out).toMatch(
      /^Removed \(not in the file, no account has them\): trial\.$/m,
    );
    expect(await json("plan", "list")).toHaveLength(4);
    expect((await tdf("plan", "apply", "--help")).out).toContain("never removed");
  });

  it("the program prints its version", async () => {
    expect(await tdf("--version")).toEqual({ out: `${VERSION}\n`, err: "", status: 0 });
  });

  it("a plan is applied, an account opened, a key made, listed and revoked", async () => {
    expect(await json("plan", "apply", SHIPPED_PLANS)).toEqual({
      applied: ["files", "starter", "growth", "national"],
      removed: [],
      kept: [],
    });
    const account = await json(...newAccount, "starter");
    expect(account).toEqual({ id: 1, name: "Ada Freight", email: "ada@freight.example", plan: "starter" });
    expect(await json("account", "set-plan", "1", "growth")).toEqual({ ...account, plan: "growth" });
    expect(await json("account", "list")).toEqual([expect.objectContaining({ id: 1, plan: "growth" })]);
    expect(await json("plan", "list")).toHaveLength(4);

    const key = await json("key", "create", "--account", "1", "--name", "Nightly sync");
    expect(key).toMatchObject({
      id: expect.stringMatching(/^[0-9A-Za-z]{8}$/),
      key: expect.stringMatching(/^tdf_live_[0-9A-Za-z]{8}_[0-9A-Za-z]{36}$/),
      prefix: `tdf_live_${key.id}`,
    });
    expect(await json("key", "revoke", key.id)).toEqual({ id: key.id });
    const listed = await tdf("key", "list", "--account", "1", "--json");
    expect(JSON.parse(listed.out)).toEqual([
      expect.objectContaining({ id: key.id, name: "Nightly sync", revoked_at: expect.any(String) }),
    ]);
    expect(listed.out).not.toContain(key.key.slice(18));
  });

  it("a sign-in link is mailed to a new account's owner, and printed if there is no mail server", async () => {
    await tdf("plan", "apply", SHIPPED_PLANS);
    const { out } = await tdf(...newAccount, "starter");
    const link = /http:\/\/127\.0\.0\.1:3000\/dashboard\/sign-in\/[\w-]{43}/;
    expect(out).toMatch(link);
    const { id } = await json("account", "list").then((accounts) => accounts.at(-1));
    const { account_id, url } = await json("account", "sign-in-link", String(id));
    expect(account_id).toBe(id);
    expect(url).toMatch(link);
    expect(out).not.toContain(url);
    expect((await tdf("account", "sign-in-link", "999")).err).toMatch(/no account 999/);
  });

  it("output for people is sentences and tables", async () => {
    await tdf("plan", "apply", SHIPPED_PLANS);
    const { id } = await json(...newAccount, "files");
    const file = path.join(folder, "one.yaml");
    await writeFile(
      file,
      "plans: {one: {name: One, api_access: true, requests_per_minute: 1, rows_per_month: 1, feeds: {us_brokers: [TX]}}}",
    );
    const { out } = await tdf("plan", "apply", file);
    expect(out).toContain("Applied: one.");
    expect(out).toMatch(/Not in the file, unchanged: files\. 1 account has it;/);
    expect((await tdf("plan", "list")).out).toMatch(
      /one +One +yes +1 +1 +5 +1,000 +0 {2}no +us_brokers \(TX\)/,
    );
    expect((await tdf("account", "list")).out).toMatch(
      new RegExp(` ${id} {2}Ada Freight +ada@freight.example +files`),
    );
    const created = await tdf("key", "create", "--account", String(id));
    expect(created.out).toMatch(/^tdf_live_\w+\nKeep it now/);
    expect((await tdf("key", "list")).out).toMatch(/default +active +usual +never +any +never/);
  });

  it("a test key has every scope unless told otherwise, and is rotated and revoked as a live one", async () => {
    await tdf("plan", "apply", SHIPPED_PLANS);
    const { id: account } = await json(...newAccount, "starter");
    const make = (...words: string[]) =>
      json("key", "create", "--account", String(account), "--test", ...words);
    expect((await make()).scopes).toContain("keys:write");
    const narrow = await make("--scope", "feeds:read", "--expires", "2099-01-01");
    expect(narrow).toMatchObject({ scopes: ["feeds:read"], expires_at: "2099-01-01T00:00:00.000Z" });
    for (const named of [[narrow.prefix], [narrow.id, "--test"]]) {
      const { key } = await json("key", "rotate", ...named, "--grace", "0");
      expect(key).toMatch(new RegExp(`^${narrow.prefix}_`));
    }
    expect((await tdf("key", "rotate", narrow.id)).status).toBe(2);
    expect(await json("key", "revoke", narrow.id, "--test")).toEqual({ id: narrow.id });
    expect((await tdf("key", "rotate", narrow.prefix)).err).toMatch(/revoked or has expired/);
  });

  it("a test key is refused where the database of test mode is the live one, before anything is written", async () => {
    await tdf("plan", "apply", SHIPPED_PLANS);
    const { id } = await json(...newAccount, "starter");
    const environment = { DATABASE_URL: database.url, DATA_DIR: folder, SECRETS_KEY: TEST_SECRETS_KEY };
    const same = { ...environment, TEST_MODE_DATABASE_URL: database.url };
    const refused = await runTdf(same, "key", "create", "--account", String(id), "--test");
    expect(refused.err).toBe(
      "TEST_MODE_DATABASE_URL is the database of DATABASE_URL: name another one, for test mode alone. Nothing was changed.\n",
    );
    expect(refused.status).toBe(2);
    expect((await tdf("plan", "list")).out).not.toMatch(/^test /m);
  });

  it("a test key is refused where the database of test mode has the registry of another installation", async () => {
    await tdf("plan", "apply", SHIPPED_PLANS);
    const { id } = await json(...newAccount, "starter");
    const other = await createTestDatabase();
    try {
      await onServer(other.url, (client) =>
        putRows(client, "import_run", { status: "published", folder: "/x", started_at: new Date() }),
      );
      const environment = { DATABASE_URL: database.url, DATA_DIR: folder, SECRETS_KEY: TEST_SECRETS_KEY };
      const taken = { ...environment, TEST_MODE_DATABASE_URL: other.url };
      expect(await runTdf(taken, "key", "create", "--account", String(id), "--test")).toEqual({
        out: "",
        status: 2,
        err: `The database ${databaseName(other.url)} has a registry, which test mode would replace: name another one for test mode alone in TEST_MODE_DATABASE_URL.\n`,
      });
    } finally {
      await other.drop();
    }
  });

  it("a test key is refused so before the other installation's database, which an older program made, is migrated", async () => {
    await tdf("plan", "apply", SHIPPED_PLANS);
    const { id } = await json(...newAccount, "starter");
    const other = await createTestDatabase({ isEmpty: true });
    const [first = ""] = await readdir(MIGRATIONS);
    const older = path.join(folder, "older");
    await cp(path.join(MIGRATIONS, first), path.join(older, first), { recursive: true });
    try {
      await migrate(other.url, { folder: older, log: createLog("silent") });
      const tablesOf = async (client: Client) => (await client.query(TABLES)).rows;
      const before = await onServer(other.url, async (client) => {
        await putRows(client, "import_run", { status: "published", folder: "/x", started_at: new Date() });
        return tablesOf(client);
      });
      const environment = { DATABASE_URL: database.url, DATA_DIR: folder, SECRETS_KEY: TEST_SECRETS_KEY };
      const taken = { ...environment, TEST_MODE_DATABASE_URL: other.url };
      const { status, err } = await runTdf(taken, "key", "create", "--account", String(id), "--test");
      expect({ status, err }).toEqual({ status: 2, err: expect.stringMatching(/ has a registry, which /) });
      expect(await onServer(other.url, tablesOf)).toEqual(before);
    } finally {
      await other.drop();
    }
  });

  it("an error is one line on standard error and a status that is not 0", async () => {
    const refused: [string[], RegExp][] = [
      [[...newAccount, "nope"], /^There is no plan "nope"; choose one of .*\n$/],
      [["account", "set-plan", "x", "files"], /^An account is named by its number, not "x"; .*\n$/],
      [
        ["key", "create", "--account", "999"],
        /^There is no account 999; "account list" shows all accounts\.\n$/,
      ],
      [["key", "list", "--account", "999"], /^There is no account 999; .*\n$/],
      [["key", "revoke", "nosuchid"], /^There is no key with that identifier .*\n$/],
      ...["tomorrow 2027", "2027-02-30", "12/11/2027", "2027-01-01T00:00", "275760-09-13"].map(
        (text): [string[], RegExp] => [
          ["key", "create", "--account", "1", "--expires", text],
          /^--expires is ".*": give a date like 2026-11-20 or a time like .*\n$/,
        ],
      ),
      [["plan", "apply", path.join(folder, "none.yaml")], /^The plan file .* can't be read \(ENOENT\)\.\n$/],
    ];
    for (const [words, sentence] of refused) {
      expect(await tdf(...words)).toEqual({ out: "", err: expect.stringMatching(sentence), status: 2 });
    }
  });

  it("every command has a description", async () => {
    for (const words of [
      ["plan"],
      ["account"],
      ["key"],
      ["plan", "apply"],
      ["account", "create"],
      ["key", "revoke"],
    ]) {
      expect((await tdf(...words, "--help")).out).toMatch(/^Usage: tdf /);
    }
  });

  // The printed command is pasted: it has to be whole.
  it("an opened account is told with the command that makes its key", async () => {
    await tdf("plan", "apply", SHIPPED_PLANS);
    const { id } = await json(
      "account",
      "create",
      "--name",
      "Bo",
      "--email",
      "bo@freight.example",
      "--plan",
      "starter",
    );
    const { out } = await tdf(
      "account",
      "create",
      "--name",
      "Cy",
      "--email",
      "cy@freight.example",
      "--plan",
      "starter",
    );
    expect(out).toContain(`Make a key for it: npm run -s tdf -- key create --account ${id + 1}\n`);
  });
});
