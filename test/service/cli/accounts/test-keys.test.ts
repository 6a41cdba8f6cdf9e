import { cp, readdir } from "node:fs/promises";
import path from "node:path";
import type { Client } from "pg";
import { describe, expect, it } from "vitest";
import { MIGRATIONS, migrate } from "../../../../src/platform/database/migrate.ts";
import { createLog } from "../../../../src/platform/log.ts";
import { createTestDatabase, databaseName, onServer } from "../../../support/database.ts";
import { runTdf } from "../../../support/processes/command.ts";
import { putRows } from "../../../support/rows.ts";
import { TEST_SECRETS_KEY } from "../../../support/secrets.ts";
import {
  database,
  folder,
  json,
  newAccount,
  SHIPPED_PLANS,
  tdf,
  useAccountCommands,
} from "./account-commands.ts";

useAccountCommands();

const TABLES = "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY relname";

describe("from the command line", () => {
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
});
